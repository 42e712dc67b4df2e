import { expect, test } from "vitest";
import { buildTokens, findDesignProblems } from "../../src/design-tokens/build-tokens.js";
import { renderCss, renderTailwind } from "../../src/design-tokens/render-css.js";
import { DARK, DESIGN, LIGHT } from "./example-answer.js";

test("finds nothing wrong with real colors and fonts", () => {
  expect(findDesignProblems(DESIGN)).toBeUndefined();
});

test("names what is no color", () => {
  expect(findDesignProblems({ ...DESIGN, dark: { ...DARK, accent: "gold-ish" } })).toContain("dark.accent");
});

test.each(["Inter; } body { display: none", "url(https://example.com)", 'Inter", x', "", "a\nb"])(
  "refuses %j as a list of fonts",
  (body) => {
    expect(findDesignProblems({ ...DESIGN, fonts: { ...DESIGN.fonts, body } })).toContain("fonts.body");
  },
);

test("reads a long list of fonts in little time", () => {
  const body = `${"a, ".repeat(99)}!`;

  expect(findDesignProblems({ ...DESIGN, fonts: { ...DESIGN.fonts, body } })).toContain("fonts.body");
});

test("takes the brand's color as the primary one", () => {
  expect(buildTokens(DESIGN, "#123456").color.light.primary).toBe("#123456");
});

test("writes every color in one way", () => {
  const { color } = buildTokens({ ...DESIGN, light: { ...LIGHT, text: "hsl(0, 0%, 0%)", border: "#CCC" } }, undefined);

  expect(color.light).toMatchObject({ text: "#000000", border: "#cccccc" });
});

test("computes the scales", () => {
  const { fontSize, spacing, radius } = buildTokens(DESIGN, undefined);

  expect(fontSize).toMatchObject({ base: 16, lg: 20, xl: 25 });
  expect(spacing).toMatchObject({ "0": 0, "4": 16 });
  expect(radius).toMatchObject({ sm: 4, md: 8 });
});

test("renders CSS variables for both schemes", () => {
  const css = renderCss(buildTokens(DESIGN, undefined));

  expect(css).toMatch(/^:root \{\n {2}--color-background: #ffffff;/);
  expect(css).toContain("--color-on-primary: #ffffff;");
  expect(css).toContain("--font-size-base: 1rem;");
  expect(css).toContain("@media (prefers-color-scheme: dark) {");
  expect(css).toContain(':root[data-theme="dark"] {\n  --color-background: #0f1419;');
});

test("renders a theme of Tailwind", () => {
  const theme = renderTailwind(buildTokens(DESIGN, undefined));

  expect(theme).toMatch(/^@theme \{\n {2}--color-background: #ffffff;/);
  expect(theme).toContain("--text-base: 1rem;");
  expect(theme).toContain("--radius-md: 0.5rem;");
});

test("closes every brace that it opens", () => {
  const tokens = buildTokens(DESIGN, undefined);
  for (const text of [renderCss(tokens), renderTailwind(tokens)])
    expect(text.split("{").length).toBe(text.split("}").length);
});

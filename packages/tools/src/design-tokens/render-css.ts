import { COLOR_ROLES, type ColorScheme, type DesignTokens, type Steps } from "./tokens.js";

const MOST_PIXELS = 1000;

/** Renders tokens as CSS variables: light, and dark where the system or `data-theme` asks for it. */
export function renderCss(tokens: DesignTokens): string {
  const { color, font, fontSize, spacing, radius } = tokens;
  const root = [
    ...listColors(color.light),
    ...Object.entries(font).map(([name, families]) => `--font-${name}: ${families};`),
    ...listSteps("font-size", fontSize),
    ...listSteps("space", spacing),
    ...listSteps("radius", radius),
  ];
  return [renderRule(":root", root), renderDark(color.dark)].join("\n\n");
}

/** Renders tokens as a theme of Tailwind CSS 4. */
export function renderTailwind(tokens: DesignTokens): string {
  const { color, font, fontSize, spacing, radius } = tokens;
  const theme = [
    ...listColors(color.light),
    ...Object.entries(font).map(([name, families]) => `--font-${name}: ${families};`),
    ...listSteps("text", fontSize),
    ...listSteps("spacing", spacing),
    ...listSteps("radius", radius),
  ];
  return [renderRule("@theme", theme), `@layer base {\n${indent(renderDark(color.dark))}\n}`].join("\n\n");
}

/** The dark scheme, where the system asks for it, unless the page decides by itself. */
function renderDark(scheme: ColorScheme): string {
  const colors = listColors(scheme);
  return [
    `@media (prefers-color-scheme: dark) {\n${indent(renderRule(':root:not([data-theme="light"])', colors))}\n}`,
    renderRule(':root[data-theme="dark"]', colors),
  ].join("\n\n");
}

function listColors(scheme: ColorScheme): string[] {
  return COLOR_ROLES.map((role) => `--color-${toKebab(role)}: ${scheme[role]};`);
}

function listSteps(prefix: string, steps: Steps): string[] {
  return Object.entries(steps).map(([name, pixels]) => `--${prefix}-${name}: ${toRem(pixels)};`);
}

/** Relative to the size that readers set, which is 16 pixels unless they do; what stands for "as much as there is" stays absolute. */
function toRem(pixels: number): string {
  if (pixels > MOST_PIXELS) return `${pixels}px`;
  return pixels === 0 ? "0" : `${Number((pixels / 16).toFixed(4))}rem`;
}

function toKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function renderRule(selector: string, lines: readonly string[]): string {
  return `${selector} {\n${lines.map((line) => `  ${line}`).join("\n")}\n}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

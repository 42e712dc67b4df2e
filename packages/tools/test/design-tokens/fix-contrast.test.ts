import { expect, test } from "vitest";
import { contrastOf, parseColor } from "../../src/design-tokens/color.js";
import { fixContrast } from "../../src/design-tokens/fix-contrast.js";
import { LIGHT } from "./example-answer.js";

function contrast(one: string, other: string): number {
  return contrastOf(parseColor(one) ?? [0, 0, 0], parseColor(other) ?? [0, 0, 0]);
}

test("leaves colors that can be read as they are", () => {
  const { colors, reports } = fixContrast(LIGHT, "light");

  expect(colors).toEqual(LIGHT);
  expect(reports.every(({ passes, changedFrom }) => passes && changedFrom === undefined)).toBe(true);
});

test("mends a color that cannot be read on its backgrounds, and says what it was", () => {
  const { colors, reports } = fixContrast({ ...LIGHT, muted: "#aab4be", onPrimary: "#0b6e4f" }, "light");

  expect(contrast(colors.muted, colors.background)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.muted, colors.surface)).toBeGreaterThanOrEqual(4.5);
  expect(contrast(colors.onPrimary, colors.primary)).toBeGreaterThanOrEqual(4.5);
  expect(reports).toContainEqual(
    expect.objectContaining({ foreground: "muted", background: "surface", passes: true, changedFrom: "#aab4be" }),
  );
});

test("never changes the color that others stand on", () => {
  expect(fixContrast({ ...LIGHT, primary: "#808080", onPrimary: "#808080" }, "light").colors.primary).toBe("#808080");
});

test("reports what cannot be mended", () => {
  const { colors, reports } = fixContrast({ ...LIGHT, background: "#ffffff", surface: "#000000" }, "light");

  expect(colors.text).toBe(LIGHT.text);
  expect(reports).toContainEqual(expect.objectContaining({ foreground: "text", background: "surface", passes: false }));
});

test("rounds a contrast down, so that none looks better than it is", () => {
  const { reports } = fixContrast(LIGHT, "light");

  for (const { foreground, background, ratio } of reports)
    expect(ratio).toBeLessThanOrEqual(contrast(LIGHT[foreground], LIGHT[background]));
});

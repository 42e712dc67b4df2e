import { expect, test } from "vitest";
import { contrastOf, formatColor, mixColors, parseColor, type Rgb } from "../../src/design-tokens/color.js";

test.each([
  ["#fff", "#ffffff"],
  ["#1A2b3C", "#1a2b3c"],
  ["1a2b3c", "#1a2b3c"],
  ["rgb(255, 0, 128)", "#ff0080"],
  ["hsl(240, 100%, 50%)", "#0000ff"],
  ["hsl(0 0% 50%)", "#808080"],
])("reads %s", (text, hex) => {
  const color = parseColor(text);

  expect(color && formatColor(color)).toBe(hex);
});

test.each(["", "#ff", "#12345", "#gggggg", "blue", "rgb(256, 0, 0)", "hsl(0, 101%, 0%)", "#fff; color: red"])(
  "does not take %j for a color",
  (text) => {
    expect(parseColor(text)).toBeUndefined();
  },
);

test.each<[Rgb, Rgb, number]>([
  [[0, 0, 0], [255, 255, 255], 21],
  [[255, 255, 255], [255, 255, 255], 1],
  [[119, 119, 119], [255, 255, 255], 4.48],
  [[255, 0, 0], [255, 255, 255], 4],
])("computes the contrast of %j on %j", (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 2);
  expect(contrastOf(other, one)).toBeCloseTo(ratio, 2);
});

test("mixes colors", () => {
  expect(mixColors([0, 0, 0], [200, 100, 50], 0.5)).toEqual([100, 50, 25]);
});

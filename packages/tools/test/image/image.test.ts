import { expect, test } from "vitest";
import { chooseSize } from "../../src/image/choose-size.js";
import { measureImage } from "../../src/image/measure-image.js";
import { ToolFailure } from "../../src/tool-failure.js";
import { PNG } from "../fake-provider/index.js";

test.each([
  ["1024x1024", "gpt-image-2", "1024x1024"],
  ["1920x1080", "gpt-image-2", "1536x1024"],
  ["600x800", "gpt-image-2", "1024x1536"],
  ["1920x1080", "dall-e-3", "1792x1024"],
  ["300x300", "dall-e-2", "256x256"],
  ["1920x1080", "another-model", "1920x1080"],
])("takes for %s the nearest that %s makes", (wanted, model, size) => {
  expect(chooseSize(wanted, model)).toBe(size);
});

test("reads the size of a PNG from its bytes", () => {
  expect(measureImage({ data: PNG, mimeType: "image/png" }).size).toBe("1x1");
});

test.each([
  ["is broken", "iVBORw0KGgoAAAAA"],
  ["has another signature", Buffer.from("GIF89a, and so on, and so on").toString("base64")],
  ["is not base64", `${PNG}%%`],
  ["is too large", "A".repeat(30_000_000)],
])("refuses a PNG that %s", (_what, data) => {
  expect(() => measureImage({ data, mimeType: "image/png" })).toThrow(ToolFailure);
});

import { expect, test } from "vitest";
import { encodeBase64 } from "../src/encode-base64.js";

test("encodes bytes of every length and value", () => {
  const bytes = Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256);
  for (let length = 0; length <= bytes.length; length += 1) {
    const part = bytes.subarray(0, length);
    expect(encodeBase64(part)).toBe(Buffer.from(part).toString("base64"));
  }
});

test("encodes the part of a buffer that a view shows", () => {
  expect(encodeBase64(new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 4))).toBe("AgME");
});

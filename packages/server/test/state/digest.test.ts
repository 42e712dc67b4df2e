import { expect, test } from "vitest";
import { digest } from "../../src/digest.js";

test("a digest is the SHA-256 of JSON text in base64url", async () => {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode('{"a":[1,"é",null,true],"b":{}}'));
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));

  expect(await digest({ b: {}, a: [1, "é", null, true] })).toBe(
    text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""),
  );
});

test.each([
  ["the order of members", { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ["members that JSON leaves out", { a: 1, b: undefined }, { a: 1 }],
  ["how a number was written", [1.0, -0, 1e3], [1, 0, 1000]],
])("%s makes no difference", async (_, one, other) => {
  expect(await digest(one)).toBe(await digest(other));
});

test.each([
  ["the order of items", [1, 2], [2, 1]],
  ["a number and its text", { a: 1 }, { a: "1" }],
  ["null and a missing member", { a: null }, {}],
  ["an array and an object", [], {}],
  ["names that run into values", { 'a":1,"b': 2 }, { a: 1, b: 2 }],
  ["a member named __proto__", JSON.parse('{"__proto__":1}'), {}],
  ["nothing and an empty text", undefined, ""],
  ["one level more", [[]], [[[]]]],
])("%s make a difference", async (_, one, other) => {
  expect(await digest(one)).not.toBe(await digest(other));
});

test("a value may be deeper than the stack and wider than a call takes arguments", async () => {
  const deep: unknown = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);

  expect(await digest(deep)).toHaveLength(43);
  expect(await digest(new Array(500_000).fill(0))).toHaveLength(43);
});

import { expect, test } from "vitest";
import { readProperties } from "../../src/schema/read-properties.js";

function read(schema: object): object {
  const { properties, required, open } = readProperties(schema as Record<string, unknown>);
  return { properties: Object.fromEntries(properties), required: [...required], open };
}

const a = { type: "string", description: "a" };
const b = { type: "string", description: "b" };

test.each([
  ["an object", { properties: { a, b }, required: ["b"] }, { properties: { a, b }, required: ["b"], open: false }],
  ["nothing", {}, { properties: {}, required: [], open: false }],
  [
    "all of several parts",
    { properties: { a }, allOf: [{ properties: { b }, required: ["b"] }, { required: ["a"] }] },
    { properties: { a, b }, required: ["b", "a"], open: false },
  ],
  [
    "one of several alternatives",
    {
      anyOf: [
        { properties: { a, b }, required: ["a", "b"] },
        { properties: { a }, required: ["a"] },
      ],
    },
    { properties: { a, b }, required: ["a"], open: false },
  ],
  [
    "a reference at its root",
    { $ref: "#/$defs/x~1y", $defs: { "x/y": { properties: { a }, required: ["a"] } } },
    { properties: { a }, required: ["a"], open: false },
  ],
  [
    "references in its members",
    { properties: { a: { $ref: "#/$defs/b", title: "A" } }, $defs: { b } },
    { properties: { a: { $ref: "#/$defs/b", ...b, title: "A" } }, required: [], open: false },
  ],
  [
    "references in circles",
    { properties: { a }, allOf: [{ $ref: "#" }] },
    { properties: { a }, required: [], open: false },
  ],
  ["a reference to elsewhere", { $ref: "https://example.com/" }, { properties: {}, required: [], open: true }],
  ["other members", { additionalProperties: { type: "string" } }, { properties: {}, required: [], open: true }],
  ["no other members", { additionalProperties: false }, { properties: {}, required: [], open: false }],
  ["members by patterns", { patternProperties: { "^x": {} } }, { properties: {}, required: [], open: true }],
  ["members on a condition", { if: {}, else: { properties: { a } } }, { properties: {}, required: [], open: true }],
])("reads what a schema with %s says of the members", (_, schema, expected) => {
  expect(read(schema)).toEqual(expected);
});

test("keeps the order in which the members were written", () => {
  const schema = { properties: { z: {}, a: {} }, allOf: [{ properties: { m: {} } }] };

  expect([...readProperties(schema).properties.keys()]).toEqual(["z", "a", "m"]);
});

test("takes references that multiply in its stride", () => {
  const $defs: Record<string, unknown> = { d0: { properties: { a } } };
  for (let index = 1; index <= 40; index += 1) {
    const reference = { $ref: `#/$defs/d${index - 1}` };
    $defs[`d${index}`] = { allOf: [reference, reference] };
  }

  expect([...readProperties({ $ref: "#/$defs/d40", $defs }).properties.keys()]).toEqual(["a"]);
});

import { describe, expect, test } from "vitest";
import { createQuickCheck } from "../../src/json-schema/quick-check.js";
import { DRAFT_07_CASES, FORMAT_CASES } from "./dialect-cases.js";
import { KEYWORD_CASES } from "./keyword-cases.js";
import { BUILT_IN_NAME_CASES, ODD_NAME_CASES } from "./name-cases.js";
import { REFERENCE_CASES, UNEVALUATED_CASES } from "./reference-cases.js";

const ALL = [
  ...KEYWORD_CASES,
  ...REFERENCE_CASES,
  ...UNEVALUATED_CASES,
  ...FORMAT_CASES,
  ...BUILT_IN_NAME_CASES,
  ...ODD_NAME_CASES,
  ...DRAFT_07_CASES,
];

test.each(ALL)("never accepts what the schema refuses: $title", ({ schema, refuses }) => {
  const accepts = createQuickCheck(schema);

  expect(refuses.filter((value) => accepts?.(value) === true)).toEqual([]);
});

describe("what it can decide", () => {
  const accepts = createQuickCheck({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "An order",
    type: "object",
    properties: {
      name: { type: "string", maxLength: 10, description: "Whose" },
      count: { type: "integer", minimum: 1, default: 1 },
      kind: { enum: ["a", "b", null] },
      lines: {
        type: "array",
        minItems: 1,
        items: { type: "object", properties: { sku: { type: ["string", "null"] } } },
      },
      either: { anyOf: [{ type: "boolean" }, { const: 3 }] },
    },
    required: ["name"],
    additionalProperties: false,
    "x-vendor": { required: ["ignored"] },
  });

  test.each([
    [{ name: "Ada" }],
    [{ name: "Ada", count: 3, kind: null, lines: [{ sku: null }, { sku: "x", more: 1 }], either: 3 }],
    [{ name: "Ada", count: undefined }],
  ])("is accepted: %j", (value) => {
    expect(accepts?.(value)).toBe(true);
  });

  test.each([
    [{}],
    [{ name: undefined }],
    [{ name: "Ada", count: 0 }],
    [{ name: "Ada", kind: "c" }],
    [{ name: "Ada", lines: [] }],
    [{ name: "Ada", lines: [{ sku: 1 }] }],
    [{ name: "Ada", either: 4 }],
    [{ name: "Ada", other: 1 }],
    [JSON.parse('{"name":"Ada","__proto__":{}}')],
    [null],
    [[]],
  ])("is not accepted: %j", (value) => {
    expect(accepts?.(value)).toBe(false);
  });
});

test.each([
  [{ properties: { a: { $ref: "#/$defs/b" } }, $defs: { b: {} } }],
  [{ properties: { a: { format: "email" } } }],
  [{ anyOf: [{ type: "string" }, { not: {} }] }],
  [{ allOf: [{ minProperties: 1 }] }],
  [{ items: [{ type: "string" }] }],
  [{ patternProperties: {}, additionalProperties: false }],
  [{ additionalProperties: { propertyNames: {} } }],
  [{ properties: { a: { vocabulary: 1 } } }],
])("leaves any other schema to the validator: %j", (schema) => {
  expect(createQuickCheck(schema)).toBeUndefined();
});

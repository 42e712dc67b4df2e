import type { JsonObject } from "@mortise/core";

/** One schema with values that it accepts and values that it refuses. */
export interface KeywordCase {
  readonly title: string;
  readonly schema: JsonObject;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

/** A schema or value as JSON text, for members whose names mean something to JavaScript: `__proto__`, `then`. */
export const parse = (text: string): JsonObject => JSON.parse(text);

/** Keywords of dialect 2020-12, one by one. */
export const KEYWORD_CASES: readonly KeywordCase[] = [
  { title: "type: object", schema: { type: "object" }, accepts: [{}, { a: 1 }], refuses: [[], null, 1, "x"] },
  { title: "type: array", schema: { type: "array" }, accepts: [[], [1]], refuses: [{}, null, "x"] },
  { title: "type: integer", schema: { type: "integer" }, accepts: [1, 1.0, -3, 1e3], refuses: [1.5, "1", null, true] },
  { title: "type: number", schema: { type: "number" }, accepts: [1, 1.5], refuses: ["1", null, true] },
  { title: "type: string", schema: { type: "string" }, accepts: ["", "é"], refuses: [1, null, {}] },
  { title: "type: boolean", schema: { type: "boolean" }, accepts: [true, false], refuses: [0, "true", null] },
  { title: "type: null", schema: { type: "null" }, accepts: [null], refuses: [0, "", false, {}] },
  {
    title: "a list of types",
    schema: { type: ["string", "null", "integer"] },
    accepts: ["x", null, 3],
    refuses: [1.5, {}, [], true],
  },
  {
    title: "enum",
    schema: { enum: ["x", null, 3, { a: 1 }, [2]] },
    accepts: ["x", null, 3, { a: 1 }, [2]],
    refuses: ["y", "null", { a: 2 }, {}, [], 0],
  },
  {
    title: "const",
    schema: { const: { a: [1, { b: null }] } },
    accepts: [{ a: [1, { b: null }] }],
    refuses: [{ a: [1] }, {}, null],
  },
  { title: "const: null", schema: { const: null }, accepts: [null], refuses: [0, "", {}] },
  { title: "const: false", schema: { const: false }, accepts: [false], refuses: [0, null, ""] },
  { title: "minimum and maximum", schema: { minimum: 1, maximum: 3 }, accepts: [1, 3, "x"], refuses: [0.99, 3.01] },
  {
    title: "exclusive bounds",
    schema: { exclusiveMinimum: 1, exclusiveMaximum: 3 },
    accepts: [1.01, 2.99, null],
    refuses: [1, 3],
  },
  { title: "multipleOf", schema: { multipleOf: 5 }, accepts: [0, -10, "x"], refuses: [3, 1.5] },
  { title: "multipleOf a fraction", schema: { multipleOf: 0.5 }, accepts: [1.5, 2], refuses: [0.7] },
  {
    title: "lengths count code points",
    schema: { minLength: 2, maxLength: 2 },
    accepts: ["ab", "😀😀", 7],
    refuses: ["a", "abc", "😀"],
  },
  { title: "pattern is not anchored", schema: { pattern: "b+c" }, accepts: ["abbcd", 1], refuses: ["ab", ""] },
  { title: "pattern reads Unicode", schema: { pattern: "^\\p{L}+$" }, accepts: ["éß"], refuses: ["1"] },
  {
    title: "minItems and maxItems",
    schema: { minItems: 1, maxItems: 2 },
    accepts: [[1], [1, 2], "x"],
    refuses: [[], [1, 2, 3]],
  },
  {
    title: "uniqueItems",
    schema: { uniqueItems: true },
    accepts: [
      [1, 2],
      [1, "1"],
      [{ a: 1 }, { a: 2 }],
      [0, false],
    ],
    refuses: [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[1], [1]],
    ],
  },
  { title: "items", schema: { items: { type: "string" } }, accepts: [[], ["a"], {}], refuses: [["a", 1]] },
  { title: "items: false", schema: { items: false }, accepts: [[]], refuses: [[1]] },
  { title: "contains", schema: { contains: { type: "integer" } }, accepts: [["a", 1]], refuses: [[], ["a"]] },
  {
    title: "minContains and maxContains",
    schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 },
    accepts: [
      [1, 1],
      [1, 0, 1, 1],
    ],
    refuses: [[1], [1, 1, 1, 1]],
  },
  { title: "minContains: 0", schema: { contains: { const: 1 }, minContains: 0 }, accepts: [[], [2]], refuses: [] },
  {
    title: "properties",
    schema: { properties: { a: { type: "integer" }, b: false } },
    accepts: [{}, { a: 1 }, { c: 1 }, []],
    refuses: [{ a: "x" }, { b: 1 }],
  },
  {
    title: "required",
    schema: { required: ["a", "b c", 'q"'] },
    accepts: [{ a: 1, "b c": null, 'q"': 0 }, []],
    refuses: [{}, { a: 1 }, { a: 1, "b c": 2 }],
  },
  {
    title: "additionalProperties: false",
    schema: { properties: { a: {} }, patternProperties: { "^x-": {} }, additionalProperties: false },
    accepts: [{}, { a: 1 }, { "x-y": 1 }],
    refuses: [{ b: 1 }],
  },
  {
    title: "additionalProperties as a schema",
    schema: { properties: { a: {} }, additionalProperties: { type: "integer" } },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ b: "x" }],
  },
  {
    title: "patternProperties",
    schema: { patternProperties: { "^n": { type: "number" }, z$: { minimum: 5 } } },
    accepts: [{ n: 1, z: 5, nz: 6, a: "x" }],
    refuses: [{ n: "x" }, { az: 4 }, { nz: 1 }],
  },
  {
    title: "propertyNames",
    schema: { propertyNames: { maxLength: 3 } },
    accepts: [{ abc: 1 }, {}],
    refuses: [{ abcd: 1 }],
  },
  {
    title: "minProperties and maxProperties",
    schema: { minProperties: 1, maxProperties: 2 },
    accepts: [{ a: 1 }, { a: 1, b: 2 }],
    refuses: [{}, { a: 1, b: 2, c: 3 }],
  },
  {
    title: "dependentRequired",
    schema: { dependentRequired: { card: ["zip", "name"] } },
    accepts: [{}, { zip: 1 }, { card: 1, zip: 2, name: 3 }],
    refuses: [{ card: 1 }, { card: 1, zip: 2 }],
  },
  {
    title: "dependentSchemas",
    schema: { dependentSchemas: { a: { required: ["b"], properties: { b: { type: "string" } } } } },
    accepts: [{}, { b: 1 }, { a: 1, b: "x" }],
    refuses: [{ a: 1 }, { a: 1, b: 2 }],
  },
  {
    title: "allOf",
    schema: { allOf: [{ required: ["a"] }, { required: ["b"] }] },
    accepts: [{ a: 1, b: 1 }],
    refuses: [{ a: 1 }, { b: 1 }],
  },
  { title: "anyOf", schema: { anyOf: [{ type: "string" }, { minimum: 5 }] }, accepts: ["x", 5], refuses: [4] },
  { title: "oneOf", schema: { oneOf: [{ type: "integer" }, { minimum: 2 }] }, accepts: [1, 2.5], refuses: [3, 1.5] },
  { title: "not", schema: { not: { required: ["a"] } }, accepts: [{}, { b: 1 }], refuses: [{ a: 1 }] },
  {
    title: "if, then, else",
    schema: parse(
      '{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"required":["a"]},"else":{"required":["b"]}}',
    ),
    accepts: [{ k: "a", a: 1 }, { k: "b", b: 1 }, { b: 1 }],
    refuses: [{ k: "a" }, { k: "b" }, {}],
  },
  { title: "then without if", schema: parse('{"then":false,"else":false}'), accepts: [1], refuses: [] },
  {
    title: "boolean sub-schemas",
    schema: { properties: { a: true, b: false } },
    accepts: [{ a: 1 }],
    refuses: [{ b: 1 }],
  },
];

import type { JsonObject } from "@mortise/core";

/** One schema with values that it accepts and values that it refuses. */
export interface KeywordCase {
  readonly title: string;
  readonly schema: JsonObject;
  readonly accepts: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** A JSON text, so that a member named `__proto__` is an own member. */
const parse = (text: string): JsonObject => JSON.parse(text);

const single: readonly KeywordCase[] = [
  { title: "type: object", schema: { type: "object" }, accepts: [{}, { a: 1 }], refuses: [[], null, 1, "x"] },
  { title: "type: array", schema: { type: "array" }, accepts: [[], [1]], refuses: [{}, null, "x"] },
  { title: "type: integer", schema: { type: "integer" }, accepts: [1, 1.0, -3, 1e3], refuses: [1.5, "1", null, true] },
  { title: "type: number", schema: { type: "number" }, accepts: [1, 1.5], refuses: ["1", null, true] },
  { title: "type: string", schema: { type: "string" }, accepts: ["", "é"], refuses: [1, null, {}] },
  { title: "type: boolean", schema: { type: "boolean" }, accepts: [true, false], refuses: [0, "true", null] },
  { title: "type: null", schema: { type: "null" }, accepts: [null], refuses: [0, "", false, {}] },
  { title: "a list of types", schema: { type: ["string", "null", "integer"] }, accepts: ["x", null, 3], refuses: [1.5, {}, [], true] },
  { title: "enum", schema: { enum: ["x", null, 3, { a: 1 }, [2]] }, accepts: ["x", null, 3, { a: 1 }, [2]], refuses: ["y", "null", { a: 2 }, {}, [], 0] },
  { title: "const", schema: { const: { a: [1, { b: null }] } }, accepts: [{ a: [1, { b: null }] }], refuses: [{ a: [1] }, {}, null] },
  { title: "const: null", schema: { const: null }, accepts: [null], refuses: [0, "", {}] },
  { title: "const: false", schema: { const: false }, accepts: [false], refuses: [0, null, ""] },
  { title: "minimum and maximum", schema: { minimum: 1, maximum: 3 }, accepts: [1, 3, "x"], refuses: [0.99, 3.01] },
  { title: "exclusive bounds", schema: { exclusiveMinimum: 1, exclusiveMaximum: 3 }, accepts: [1.01, 2.99, null], refuses: [1, 3] },
  { title: "multipleOf", schema: { multipleOf: 5 }, accepts: [0, -10, "x"], refuses: [3, 1.5] },
  { title: "multipleOf a fraction", schema: { multipleOf: 0.5 }, accepts: [1.5, 2], refuses: [0.7] },
  { title: "lengths count code points", schema: { minLength: 2, maxLength: 2 }, accepts: ["ab", "😀😀", 7], refuses: ["a", "abc", "😀"] },
  { title: "pattern is not anchored", schema: { pattern: "b+c" }, accepts: ["abbcd", 1], refuses: ["ab", ""] },
  { title: "pattern reads Unicode", schema: { pattern: "^\\p{L}+$" }, accepts: ["éß"], refuses: ["1"] },
  { title: "minItems and maxItems", schema: { minItems: 1, maxItems: 2 }, accepts: [[1], [1, 2], "x"], refuses: [[], [1, 2, 3]] },
  { title: "uniqueItems", schema: { uniqueItems: true }, accepts: [[1, 2], [1, "1"], [{ a: 1 }, { a: 2 }], [0, false]], refuses: [[1, 1], [{ a: 1, b: 2 }, { b: 2, a: 1 }], [[1], [1]]] },
  { title: "items", schema: { items: { type: "string" } }, accepts: [[], ["a"], {}], refuses: [["a", 1]] },
  { title: "items: false", schema: { items: false }, accepts: [[]], refuses: [[1]] },
  { title: "contains", schema: { contains: { type: "integer" } }, accepts: [["a", 1]], refuses: [[], ["a"]] },
  { title: "minContains and maxContains", schema: { contains: { const: 1 }, minContains: 2, maxContains: 3 }, accepts: [[1, 1], [1, 0, 1, 1]], refuses: [[1], [1, 1, 1, 1]] },
  { title: "minContains: 0", schema: { contains: { const: 1 }, minContains: 0 }, accepts: [[], [2]], refuses: [] },
  { title: "properties", schema: { properties: { a: { type: "integer" }, b: false } }, accepts: [{}, { a: 1 }, { c: 1 }, []], refuses: [{ a: "x" }, { b: 1 }] },
  { title: "required", schema: { required: ["a", "b c", 'q"'] }, accepts: [{ a: 1, "b c": null, 'q"': 0 }, []], refuses: [{}, { a: 1 }, { a: 1, "b c": 2 }] },
  { title: "additionalProperties: false", schema: { properties: { a: {} }, patternProperties: { "^x-": {} }, additionalProperties: false }, accepts: [{}, { a: 1 }, { "x-y": 1 }], refuses: [{ b: 1 }] },
  { title: "additionalProperties as a schema", schema: { properties: { a: {} }, additionalProperties: { type: "integer" } }, accepts: [{ a: "x", b: 1 }], refuses: [{ b: "x" }] },
  { title: "patternProperties", schema: { patternProperties: { "^n": { type: "number" }, z$: { minimum: 5 } } }, accepts: [{ n: 1, z: 5, nz: 6, a: "x" }], refuses: [{ n: "x" }, { az: 4 }, { nz: 1 }] },
  { title: "propertyNames", schema: { propertyNames: { maxLength: 3 } }, accepts: [{ abc: 1 }, {}], refuses: [{ abcd: 1 }] },
  { title: "minProperties and maxProperties", schema: { minProperties: 1, maxProperties: 2 }, accepts: [{ a: 1 }, { a: 1, b: 2 }], refuses: [{}, { a: 1, b: 2, c: 3 }] },
  { title: "dependentRequired", schema: { dependentRequired: { card: ["zip", "name"] } }, accepts: [{}, { zip: 1 }, { card: 1, zip: 2, name: 3 }], refuses: [{ card: 1 }, { card: 1, zip: 2 }] },
  { title: "dependentSchemas", schema: { dependentSchemas: { a: { required: ["b"], properties: { b: { type: "string" } } } } }, accepts: [{}, { b: 1 }, { a: 1, b: "x" }], refuses: [{ a: 1 }, { a: 1, b: 2 }] },
  { title: "allOf", schema: { allOf: [{ required: ["a"] }, { required: ["b"] }] }, accepts: [{ a: 1, b: 1 }], refuses: [{ a: 1 }, { b: 1 }] },
  { title: "anyOf", schema: { anyOf: [{ type: "string" }, { minimum: 5 }] }, accepts: ["x", 5], refuses: [4] },
  { title: "oneOf", schema: { oneOf: [{ type: "integer" }, { minimum: 2 }] }, accepts: [1, 2.5], refuses: [3, 1.5] },
  { title: "not", schema: { not: { required: ["a"] } }, accepts: [{}, { b: 1 }], refuses: [{ a: 1 }] },
  { title: "if, then, else", schema: { if: { properties: { k: { const: "a" } }, required: ["k"] }, then: { required: ["a"] }, else: { required: ["b"] } }, accepts: [{ k: "a", a: 1 }, { k: "b", b: 1 }, { b: 1 }], refuses: [{ k: "a" }, { k: "b" }, {}] },
  { title: "then without if", schema: { then: false, else: false }, accepts: [1], refuses: [] },
  { title: "boolean sub-schemas", schema: { properties: { a: true, b: false } }, accepts: [{ a: 1 }], refuses: [{ b: 1 }] },
];

const references: readonly KeywordCase[] = [
  { title: "$ref to $defs", schema: { properties: { a: { $ref: "#/$defs/id" } }, $defs: { id: { type: "integer" } } }, accepts: [{ a: 1 }, {}], refuses: [{ a: "x" }] },
  { title: "$ref beside other keywords", schema: { $ref: "#/$defs/o", required: ["b"], $defs: { o: { required: ["a"] } } }, accepts: [{ a: 1, b: 1 }], refuses: [{ a: 1 }, { b: 1 }] },
  { title: "escaped pointers", schema: { properties: { a: { $ref: "#/$defs/x~1y~0z%25" } }, $defs: { "x/y~z%": { type: "null" } } }, accepts: [{ a: null }], refuses: [{ a: 0 }] },
  { title: "$ref into the root", schema: { properties: { next: { $ref: "#" }, n: { type: "integer" } }, required: ["n"] }, accepts: [{ n: 1, next: { n: 2, next: { n: 3 } } }], refuses: [{ n: 1, next: { n: 2, next: {} } }, {}] },
  { title: "mutual recursion", schema: { $ref: "#/$defs/a", $defs: { a: { properties: { b: { $ref: "#/$defs/b" } }, additionalProperties: false }, b: { properties: { a: { $ref: "#/$defs/a" } }, additionalProperties: false } } }, accepts: [{}, { b: {} }, { b: { a: { b: {} } } }], refuses: [{ a: {} }, { b: { b: {} } }, { b: { a: { a: {} } } }] },
  { title: "$anchor", schema: { properties: { a: { $ref: "#here" } }, $defs: { x: { $anchor: "here", type: "integer" } } }, accepts: [{ a: 1 }], refuses: [{ a: "x" }] },
  { title: "$ref through an embedded $id", schema: { $id: "https://example.com/root", properties: { a: { $ref: "part" } }, $defs: { p: { $id: "part", type: "integer" } } }, accepts: [{ a: 1 }], refuses: [{ a: "x" }] },
  { title: "$dynamicRef to the outermost anchor", schema: {
    $id: "https://example.com/strict-tree", $dynamicAnchor: "node", $ref: "tree", unevaluatedProperties: false,
    $defs: { tree: { $id: "tree", $dynamicAnchor: "node", type: "object", properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } } } },
  }, accepts: [{ data: 1 }, { children: [{ data: 1 }] }], refuses: [{ daat: 1 }, { children: [{ daat: 1 }] }] },
  { title: "a property called $ref", schema: { properties: { $ref: { type: "string" } } }, accepts: [{ $ref: "a" }], refuses: [{ $ref: 2 }] },
  { title: "a reference inside const is data", schema: { const: { $ref: "#/$defs/a" }, $defs: { a: { type: "integer" } } }, accepts: [{ $ref: "#/$defs/a" }], refuses: [1, {}] },
];

const unevaluated: readonly KeywordCase[] = [
  { title: "prefixItems with items: false", schema: { prefixItems: [{ type: "string" }, { type: "number" }], items: false }, accepts: [["a", 1], ["a"], []], refuses: [[1, "a"], ["a", 1, 2]] },
  { title: "prefixItems with items", schema: { prefixItems: [{ type: "string" }], items: { type: "number" } }, accepts: [["a", 1, 2]], refuses: [["a", "b"], [1]] },
  { title: "unevaluatedProperties after allOf", schema: { allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }], unevaluatedProperties: false }, accepts: [{ a: "x", b: 1 }, {}], refuses: [{ a: "x", c: 1 }, { a: 1 }] },
  { title: "unevaluatedProperties after anyOf", schema: { anyOf: [{ properties: { a: { const: 1 } }, required: ["a"] }, { properties: { b: { const: 2 } }, required: ["b"] }], unevaluatedProperties: false }, accepts: [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }], refuses: [{ a: 1, b: 3 }, { a: 1, c: 1 }] },
  { title: "unevaluatedProperties after if", schema: { if: { properties: { k: { const: "a" } }, required: ["k"] }, then: { properties: { x: {} } }, unevaluatedProperties: false }, accepts: [{ k: "a", x: 1 }, {}], refuses: [{ k: "b" }, { x: 1 }] },
  { title: "unevaluatedProperties after $ref", schema: { $ref: "#/$defs/o", properties: { b: {} }, unevaluatedProperties: false, $defs: { o: { properties: { a: {} } } } }, accepts: [{ a: 1, b: 2 }], refuses: [{ c: 3 }] },
  { title: "unevaluatedProperties as a schema", schema: { properties: { a: {} }, unevaluatedProperties: { type: "integer" } }, accepts: [{ a: "x", b: 1 }], refuses: [{ b: "x" }] },
  { title: "unevaluatedProperties below a nested object", schema: { properties: { o: { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false } } }, accepts: [{ o: { a: 1 }, z: 1 }], refuses: [{ o: { z: 1 } }] },
  { title: "unevaluatedItems after prefixItems in allOf", schema: { allOf: [{ prefixItems: [{ type: "string" }] }], unevaluatedItems: false }, accepts: [["a"], []], refuses: [["a", 1]] },
  { title: "unevaluatedItems after contains", schema: { contains: { type: "string" }, unevaluatedItems: { type: "integer" } }, accepts: [["a", 1], ["a"]], refuses: [["a", true], [1]] },
];

const formats: readonly KeywordCase[] = [
  { title: "format: email", schema: { format: "email" }, accepts: ["a@b.example", 5], refuses: ["a", "a@", "@b"] },
  { title: "format: date", schema: { format: "date" }, accepts: ["2024-02-29"], refuses: ["2023-02-29", "2024-13-01", "x"] },
  { title: "format: date-time", schema: { format: "date-time" }, accepts: ["2024-02-29T23:59:59Z", "2024-02-29T10:00:00.5+02:00"], refuses: ["2024-02-29", "2024-02-30T00:00:00Z"] },
  { title: "format: uuid", schema: { format: "uuid" }, accepts: ["123e4567-e89b-12d3-a456-426614174000"], refuses: ["123e4567"] },
  { title: "format: uri", schema: { format: "uri" }, accepts: ["https://example.com/a?b#c", "urn:isbn:1"], refuses: ["/relative", "a b"] },
  { title: "format: ipv4", schema: { format: "ipv4" }, accepts: ["127.0.0.1"], refuses: ["256.0.0.1", "1.2.3"] },
  { title: "format: ipv6", schema: { format: "ipv6" }, accepts: ["::1", "2001:db8::8a2e:370:7334"], refuses: ["1::2::3", "12345::"] },
];

/** Cases of dialect 2020-12 that the independent judge decides, too. */
export const KEYWORD_CASES: readonly KeywordCase[] = [...single, ...references, ...unevaluated];

/** Formats: checked like the rest here, but only an annotation for the judge. */
export const FORMAT_CASES: readonly KeywordCase[] = [
  ...formats,
  { title: "an unknown format is an annotation", schema: { format: "colour-of-the-day" }, accepts: ["x", 1], refuses: [] },
];

/** Members with the names of built-in object members. */
export const BUILT_IN_NAME_CASES: readonly KeywordCase[] = [
  { title: "required built-in names", schema: { required: ["__proto__", "toString", "constructor"] }, accepts: [parse('{"__proto__":1,"toString":2,"constructor":3}')], refuses: [{}, { toString: 1 }, parse('{"__proto__":1}')] },
  { title: "properties with built-in names", schema: parse('{"properties":{"__proto__":{"type":"number"},"toString":{"type":"string"},"constructor":{"type":"number"}}}'), accepts: [{}, parse('{"__proto__":1}'), { toString: "x" }, { constructor: 3 }], refuses: [parse('{"__proto__":"x"}'), { toString: 1 }, { constructor: {} }] },
  { title: "additionalProperties: false and __proto__", schema: { properties: { a: {} }, additionalProperties: false }, accepts: [{ a: 1 }], refuses: [parse('{"__proto__":{"isAdmin":true},"a":1}'), parse('{"constructor":{"prototype":{"x":1}}}'), parse('{"hasOwnProperty":1}')] },
  { title: "additionalProperties: false with a declared __proto__", schema: parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}'), accepts: [parse('{"__proto__":1}'), {}], refuses: [parse('{"__proto__":"x"}'), { a: 1 }] },
  { title: "unevaluatedProperties: false and __proto__", schema: { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, accepts: [{ a: 1 }], refuses: [parse('{"__proto__":1,"a":1}')] },
  { title: "dependentRequired with built-in names", schema: parse('{"dependentRequired":{"toString":["valueOf"]}}'), accepts: [{}, { toString: 1, valueOf: 2 }], refuses: [{ toString: 1 }] },
];

/** What draft-07 says otherwise than 2020-12. */
export const DRAFT_07_CASES: readonly KeywordCase[] = [
  { title: "definitions", schema: { $schema: DRAFT_07, properties: { a: { $ref: "#/definitions/id" } }, definitions: { id: { type: "integer" } } }, accepts: [{ a: 1 }], refuses: [{ a: "x" }] },
  { title: "array-form items with additionalItems", schema: { $schema: DRAFT_07, items: [{ type: "string" }, { type: "number" }], additionalItems: false }, accepts: [["a", 1], ["a"]], refuses: [[1], ["a", 1, 2]] },
  { title: "dependencies", schema: { $schema: DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } }, accepts: [{}, { a: 1, b: 1 }, { c: 1, d: 1 }], refuses: [{ a: 1 }, { c: 1 }] },
  { title: "keywords beside $ref are ignored", schema: { $schema: DRAFT_07, properties: { a: { $ref: "#/definitions/any", type: "string" } }, definitions: { any: {} } }, accepts: [{ a: 1 }, { a: "x" }], refuses: [] },
  { title: "an $id that names a place", schema: { $schema: DRAFT_07, properties: { a: { $ref: "#here" } }, definitions: { x: { $id: "#here", type: "integer" } } }, accepts: [{ a: 1 }], refuses: [{ a: "x" }] },
  { title: "if, then, else", schema: { $schema: DRAFT_07, if: { minimum: 10 }, then: { multipleOf: 10 }, else: { multipleOf: 2 } }, accepts: [20, 4], refuses: [15, 3] },
  { title: "contains", schema: { $schema: DRAFT_07, contains: { const: 1 } }, accepts: [[1, 2]], refuses: [[]] },
];

const ODD_NAMES = ["a.b", "x-y", "c$", "d/e", "(", "'", '"', "`${1}`", "\n", "\u2028", "*/", "//", "é", "😀", "", "~", "1", "class", "\\", "</script>"];
const odd = Object.fromEntries(ODD_NAMES.map((name) => [name, name]));

/** Names and values that generated code has to quote. */
export const ODD_NAME_CASES: readonly KeywordCase[] = [
  {
    title: "odd names with odd values",
    schema: { properties: Object.fromEntries(ODD_NAMES.map((name) => [name, { const: name }])), required: ODD_NAMES, additionalProperties: false },
    accepts: [odd],
    refuses: [{ ...odd, extra: 1 }, ...ODD_NAMES.map((name) => ({ ...odd, [name]: 0 }))],
  },
  { title: "odd names without required", schema: { properties: Object.fromEntries(ODD_NAMES.map((name) => [name, { enum: [name] }])), additionalProperties: false }, accepts: [odd, {}], refuses: [{ extra: 1 }] },
  { title: "an odd pattern", schema: { pattern: "^[/\"'`\\\\]+$" }, accepts: ["/\"'`\\"], refuses: ["a"] },
];

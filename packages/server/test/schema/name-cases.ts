import { type KeywordCase, parse } from "./keyword-cases.js";

/** Members with the names of built-in object members. */
export const BUILT_IN_NAME_CASES: readonly KeywordCase[] = [
  {
    title: "required built-in names",
    schema: { required: ["__proto__", "toString", "constructor"] },
    accepts: [parse('{"__proto__":1,"toString":2,"constructor":3}')],
    refuses: [{}, { toString: 1 }, parse('{"__proto__":1}')],
  },
  {
    title: "properties with built-in names",
    schema: parse(
      '{"properties":{"__proto__":{"type":"number"},"toString":{"type":"string"},"constructor":{"type":"number"}}}',
    ),
    accepts: [{}, parse('{"__proto__":1}'), { toString: "x" }, { constructor: 3 }],
    refuses: [parse('{"__proto__":"x"}'), { toString: 1 }, { constructor: {} }],
  },
  {
    title: "additionalProperties: false and __proto__",
    schema: { properties: { a: {} }, additionalProperties: false },
    accepts: [{ a: 1 }],
    refuses: [
      parse('{"__proto__":{"isAdmin":true},"a":1}'),
      parse('{"constructor":{"prototype":{"x":1}}}'),
      parse('{"hasOwnProperty":1}'),
    ],
  },
  {
    title: "additionalProperties: false with a declared __proto__",
    schema: parse('{"properties":{"__proto__":{"type":"number"}},"additionalProperties":false}'),
    accepts: [parse('{"__proto__":1}'), {}],
    refuses: [parse('{"__proto__":"x"}'), { a: 1 }],
  },
  {
    title: "unevaluatedProperties: false and __proto__",
    schema: { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    accepts: [{ a: 1 }],
    refuses: [parse('{"__proto__":1,"a":1}')],
  },
  {
    title: "dependentRequired with built-in names",
    schema: parse('{"dependentRequired":{"toString":["valueOf"]}}'),
    accepts: [{}, { toString: 1, valueOf: 2 }],
    refuses: [{ toString: 1 }],
  },
];

const ODD_NAMES = [
  "a.b",
  "x-y",
  "c$",
  "d/e",
  "(",
  "'",
  '"',
  "`$".concat("{1}`"),
  "\n",
  "\u2028",
  "*/",
  "//",
  "é",
  "😀",
  "",
  "~",
  "1",
  "class",
  "\\",
  "</script>",
];
const odd = Object.fromEntries(ODD_NAMES.map((name) => [name, name]));

/** Names and values that generated code has to quote. */
export const ODD_NAME_CASES: readonly KeywordCase[] = [
  {
    title: "odd names with odd values",
    schema: {
      properties: Object.fromEntries(ODD_NAMES.map((name) => [name, { const: name }])),
      required: ODD_NAMES,
      additionalProperties: false,
    },
    accepts: [odd],
    refuses: [{ ...odd, extra: 1 }, ...ODD_NAMES.map((name) => ({ ...odd, [name]: 0 }))],
  },
  {
    title: "odd names without required",
    schema: {
      properties: Object.fromEntries(ODD_NAMES.map((name) => [name, { enum: [name] }])),
      additionalProperties: false,
    },
    accepts: [odd, {}],
    refuses: [{ extra: 1 }],
  },
  { title: "an odd pattern", schema: { pattern: "^[/\"'`\\\\]+$" }, accepts: ["/\"'`\\"], refuses: ["a"] },
];

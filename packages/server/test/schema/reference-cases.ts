import { type KeywordCase, parse } from "./keyword-cases.js";

/** References and anchors of dialect 2020-12. */
export const REFERENCE_CASES: readonly KeywordCase[] = [
  {
    title: "$ref to $defs",
    schema: { properties: { a: { $ref: "#/$defs/id" } }, $defs: { id: { type: "integer" } } },
    accepts: [{ a: 1 }, {}],
    refuses: [{ a: "x" }],
  },
  {
    title: "$ref beside other keywords",
    schema: { $ref: "#/$defs/o", required: ["b"], $defs: { o: { required: ["a"] } } },
    accepts: [{ a: 1, b: 1 }],
    refuses: [{ a: 1 }, { b: 1 }],
  },
  {
    title: "escaped pointers",
    schema: { properties: { a: { $ref: "#/$defs/x~1y~0z%25" } }, $defs: { "x/y~z%": { type: "null" } } },
    accepts: [{ a: null }],
    refuses: [{ a: 0 }],
  },
  {
    title: "$ref into the root",
    schema: { properties: { next: { $ref: "#" }, n: { type: "integer" } }, required: ["n"] },
    accepts: [{ n: 1, next: { n: 2, next: { n: 3 } } }],
    refuses: [{ n: 1, next: { n: 2, next: {} } }, {}],
  },
  {
    title: "mutual recursion",
    schema: {
      $ref: "#/$defs/a",
      $defs: {
        a: { properties: { b: { $ref: "#/$defs/b" } }, additionalProperties: false },
        b: { properties: { a: { $ref: "#/$defs/a" } }, additionalProperties: false },
      },
    },
    accepts: [{}, { b: {} }, { b: { a: { b: {} } } }],
    refuses: [{ a: {} }, { b: { b: {} } }, { b: { a: { a: {} } } }],
  },
  {
    title: "$anchor",
    schema: { properties: { a: { $ref: "#here" } }, $defs: { x: { $anchor: "here", type: "integer" } } },
    accepts: [{ a: 1 }],
    refuses: [{ a: "x" }],
  },
  {
    title: "$ref through an embedded $id",
    schema: {
      $id: "https://example.com/root",
      properties: { a: { $ref: "part" } },
      $defs: { p: { $id: "part", type: "integer" } },
    },
    accepts: [{ a: 1 }],
    refuses: [{ a: "x" }],
  },
  {
    title: "$dynamicRef to the outermost anchor",
    schema: {
      $id: "https://example.com/strict-tree",
      $dynamicAnchor: "node",
      $ref: "tree",
      unevaluatedProperties: false,
      $defs: {
        tree: {
          $id: "tree",
          $dynamicAnchor: "node",
          type: "object",
          properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
        },
      },
    },
    accepts: [{ data: 1 }, { children: [{ data: 1 }] }],
    refuses: [{ daat: 1 }, { children: [{ daat: 1 }] }],
  },
  {
    title: "a property called $ref",
    schema: { properties: { $ref: { type: "string" } } },
    accepts: [{ $ref: "a" }],
    refuses: [{ $ref: 2 }],
  },
  {
    title: "a reference inside const is data",
    schema: { const: { $ref: "#/$defs/a" }, $defs: { a: { type: "integer" } } },
    accepts: [{ $ref: "#/$defs/a" }],
    refuses: [1, {}],
  },
];

/** Keywords that look at what other keywords left over. */
export const UNEVALUATED_CASES: readonly KeywordCase[] = [
  {
    title: "prefixItems with items: false",
    schema: { prefixItems: [{ type: "string" }, { type: "number" }], items: false },
    accepts: [["a", 1], ["a"], []],
    refuses: [
      [1, "a"],
      ["a", 1, 2],
    ],
  },
  {
    title: "prefixItems with items",
    schema: { prefixItems: [{ type: "string" }], items: { type: "number" } },
    accepts: [["a", 1, 2]],
    refuses: [["a", "b"], [1]],
  },
  {
    title: "unevaluatedProperties after allOf",
    schema: {
      allOf: [{ properties: { a: { type: "string" } } }, { properties: { b: {} } }],
      unevaluatedProperties: false,
    },
    accepts: [{ a: "x", b: 1 }, {}],
    refuses: [{ a: "x", c: 1 }, { a: 1 }],
  },
  {
    title: "unevaluatedProperties after anyOf",
    schema: {
      anyOf: [
        { properties: { a: { const: 1 } }, required: ["a"] },
        { properties: { b: { const: 2 } }, required: ["b"] },
      ],
      unevaluatedProperties: false,
    },
    accepts: [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
    refuses: [
      { a: 1, b: 3 },
      { a: 1, c: 1 },
    ],
  },
  {
    title: "unevaluatedProperties after if",
    schema: parse(
      '{"if":{"properties":{"k":{"const":"a"}},"required":["k"]},"then":{"properties":{"x":{}}},"unevaluatedProperties":false}',
    ),
    accepts: [{ k: "a", x: 1 }, {}],
    refuses: [{ k: "b" }, { x: 1 }],
  },
  {
    title: "unevaluatedProperties after $ref",
    schema: {
      $ref: "#/$defs/o",
      properties: { b: {} },
      unevaluatedProperties: false,
      $defs: { o: { properties: { a: {} } } },
    },
    accepts: [{ a: 1, b: 2 }],
    refuses: [{ c: 3 }],
  },
  {
    title: "unevaluatedProperties as a schema",
    schema: { properties: { a: {} }, unevaluatedProperties: { type: "integer" } },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ b: "x" }],
  },
  {
    title: "unevaluatedProperties below a nested object",
    schema: { properties: { o: { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false } } },
    accepts: [{ o: { a: 1 }, z: 1 }],
    refuses: [{ o: { z: 1 } }],
  },
  {
    title: "unevaluatedItems after prefixItems in allOf",
    schema: { allOf: [{ prefixItems: [{ type: "string" }] }], unevaluatedItems: false },
    accepts: [["a"], []],
    refuses: [["a", 1]],
  },
  {
    title: "unevaluatedItems after contains",
    schema: { contains: { type: "string" }, unevaluatedItems: { type: "integer" } },
    accepts: [["a", 1], ["a"]],
    refuses: [["a", true], [1]],
  },
];

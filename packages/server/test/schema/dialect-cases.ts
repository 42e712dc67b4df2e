import { type KeywordCase, parse } from "./keyword-cases.js";

const DRAFT_07 = "http://json-schema.org/draft-07/schema#";

/** Formats are checked, those that are known. */
export const FORMAT_CASES: readonly KeywordCase[] = [
  { title: "format: email", schema: { format: "email" }, accepts: ["a@b.example", 5], refuses: ["a", "a@", "@b"] },
  {
    title: "format: date",
    schema: { format: "date" },
    accepts: ["2024-02-29"],
    refuses: ["2023-02-29", "2024-13-01", "x"],
  },
  {
    title: "format: date-time",
    schema: { format: "date-time" },
    accepts: ["2024-02-29T23:59:59Z", "2024-02-29T10:00:00.5+02:00"],
    refuses: ["2024-02-29", "2024-02-30T00:00:00Z"],
  },
  {
    title: "format: uuid",
    schema: { format: "uuid" },
    accepts: ["123e4567-e89b-12d3-a456-426614174000"],
    refuses: ["123e4567"],
  },
  {
    title: "format: uri",
    schema: { format: "uri" },
    accepts: ["https://example.com/a?b#c", "urn:isbn:1"],
    refuses: ["/relative", "a b"],
  },
  { title: "format: ipv4", schema: { format: "ipv4" }, accepts: ["127.0.0.1"], refuses: ["256.0.0.1", "1.2.3"] },
  {
    title: "format: ipv6",
    schema: { format: "ipv6" },
    accepts: ["::1", "2001:db8::8a2e:370:7334"],
    refuses: ["1::2::3", "12345::"],
  },
  {
    title: "an unknown format is an annotation",
    schema: { format: "colour-of-the-day" },
    accepts: ["x", 1],
    refuses: [],
  },
];

/** What draft-07 says otherwise than 2020-12. */
export const DRAFT_07_CASES: readonly KeywordCase[] = [
  {
    title: "definitions",
    schema: {
      $schema: DRAFT_07,
      properties: { a: { $ref: "#/definitions/id" } },
      definitions: { id: { type: "integer" } },
    },
    accepts: [{ a: 1 }],
    refuses: [{ a: "x" }],
  },
  {
    title: "array-form items with additionalItems",
    schema: { $schema: DRAFT_07, items: [{ type: "string" }, { type: "number" }], additionalItems: false },
    accepts: [["a", 1], ["a"]],
    refuses: [[1], ["a", 1, 2]],
  },
  {
    title: "dependencies",
    schema: { $schema: DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } },
    accepts: [{}, { a: 1, b: 1 }, { c: 1, d: 1 }],
    refuses: [{ a: 1 }, { c: 1 }],
  },
  {
    title: "keywords beside $ref are ignored",
    schema: {
      $schema: DRAFT_07,
      properties: { a: { $ref: "#/definitions/any", type: "string" } },
      definitions: { any: {} },
    },
    accepts: [{ a: 1 }, { a: "x" }],
    refuses: [],
  },
  {
    title: "an $id that names a place",
    schema: {
      $schema: DRAFT_07,
      properties: { a: { $ref: "#here" } },
      definitions: { x: { $id: "#here", type: "integer" } },
    },
    accepts: [{ a: 1 }],
    refuses: [{ a: "x" }],
  },
  {
    title: "if, then, else",
    schema: {
      $schema: DRAFT_07,
      ...parse('{"if":{"minimum":10},"then":{"multipleOf":10},"else":{"multipleOf":2}}'),
    },
    accepts: [20, 4],
    refuses: [15, 3],
  },
  { title: "contains", schema: { $schema: DRAFT_07, contains: { const: 1 } }, accepts: [[1, 2]], refuses: [[]] },
];

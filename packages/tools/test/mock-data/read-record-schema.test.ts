import { expect, test } from "vitest";
import { readRecordSchema } from "../../src/mock-data/read-record-schema.js";
import { ToolFailure } from "../../src/tool-failure.js";

const USER = {
  type: "object",
  properties: { id: { type: "integer" }, email: { type: "string", format: "email" } },
  required: ["id", "email"],
  additionalProperties: false,
};

test("accepts records that fit", () => {
  expect(readRecordSchema(USER).check?.([{ id: 1, email: "ada@example.com" }])).toBeUndefined();
});

test("reads a schema that comes as text", () => {
  expect(readRecordSchema(JSON.stringify(USER)).check?.([{ id: "1" }])).toContain("records[0].id");
});

test("checks formats, and says which record is wrong", () => {
  const problem = readRecordSchema(USER).check?.([
    { id: 1, email: "ada@example.com" },
    { id: 2, email: "nobody" },
  ]);

  expect(problem).toContain("records[1].email");
});

test("takes the schema of a list as one of all records", () => {
  const { check } = readRecordSchema({ type: "array", items: USER, maxItems: 1 });

  expect(check?.([{ id: 1, email: "ada@example.com" }])).toBeUndefined();
  expect(check?.([{ id: "1", email: "ada@example.com" }])).toContain("records[0].id");
});

test("says of many wrong records how many there are more", () => {
  const problem = readRecordSchema(USER).check?.(Array.from({ length: 15 }, () => ({})));

  expect(problem).toContain("5 more");
});

test.each(["interface User { id: number }", '{"name":"string"}', "users with a name"])(
  "follows %s without validating against it",
  (source) => {
    expect(readRecordSchema(source)).toEqual({ text: source, check: undefined });
  },
);

test.each([
  ["a pattern that can take exponential time", { type: "object", properties: { a: { pattern: "^(a+)+$" } } }],
  ["a reference to another document", { $ref: "https://example.com/schema.json" }],
  ["a reference that goes round in circles", { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }],
  ["a malformed keyword", { type: "objekt" }],
  ["a schema that is too large", { type: "object", description: "x".repeat(100_001) }],
])("refuses %s", (_what, schema) => {
  expect(() => readRecordSchema(schema)).toThrow(ToolFailure);
});

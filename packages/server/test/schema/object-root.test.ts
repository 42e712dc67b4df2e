import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileInput } from "../../src/schema/compiled.js";
import { failure } from "./failure.js";
import { judge } from "./judge.js";

const WHERE = 'tool "act"';
const add = z.object({ op: z.literal("add"), n: z.number() });
const drop = z.object({ op: z.literal("drop"), id: z.string() });

const ROOTS = [
  { title: "a discriminated union", schema: z.discriminatedUnion("op", [add, drop]), keyword: "oneOf" },
  { title: "a union", schema: z.union([add, drop]), keyword: "anyOf" },
  {
    title: "an intersection with a union",
    schema: z.intersection(z.union([add, drop]), z.object({ tag: z.string().optional() })),
    keyword: "anyOf",
  },
  {
    title: "a refined object",
    schema: z.object({ op: z.literal("add"), n: z.number() }).refine((value) => value.n > -1000),
    keyword: "properties",
  },
  { title: "a named object", schema: add.meta({ id: "Addition" }), keyword: "$ref" },
  { title: "an object or null", schema: add.nullable(), keyword: "anyOf" },
  {
    title: "plain JSON Schema with oneOf",
    schema: { oneOf: [z.toJSONSchema(add), z.toJSONSchema(drop)] },
    keyword: "oneOf",
  },
];

describe.each(ROOTS)("$title at the root of an input", ({ schema, keyword }) => {
  test("is published with its keywords and type object", () => {
    const { json } = compileInput(schema, WHERE);

    expect(json["type"]).toBe("object");
    expect(json).toHaveProperty([keyword]);
  });

  test("gives the same verdicts as it publishes", async () => {
    const compiled = compileInput(schema, WHERE);
    const accepts = judge(compiled.json);
    const values = [{ op: "add", n: 1 }, { op: "add", id: "x" }, {}];

    const verdicts = await Promise.all(values.map(async (value) => (await compiled.check(value)).ok));

    expect(verdicts).toEqual([true, false, false]);
    expect(values.map((value) => accepts(value))).toEqual(verdicts);
  });
});

test.each([
  ["an empty schema", {}],
  ["no type beside properties", { properties: {} }],
  ["a list of types with object", { type: ["object", "null"] }],
  ["anything", z.unknown()],
  ["a record", z.record(z.string(), z.number())],
])("%s is read as an object", (_title, schema) => {
  expect(compileInput(schema, WHERE).json["type"]).toBe("object");
});

test.each([
  ["a string", { type: "string" }],
  ["a string of a library", z.string()],
  ["an array of a library", z.array(z.string())],
  ["nothing at all", z.never()],
  ["a union of other types", z.union([z.string(), z.number()])],
  ["alternatives without an object", { anyOf: [{ type: "string" }, { const: 3 }] }],
  ["a reference to a string", { $ref: "#/$defs/s", $defs: { s: { type: "string" } } }],
  ["a list of types without object", { type: ["string", "null"] }],
  ["an enumeration of strings", { enum: ["a", "b"] }],
])("%s is refused as the root of an input", (_title, schema) => {
  const { code, message } = failure(() => compileInput(schema, WHERE));

  expect(code).toBe("schema_invalid");
  expect(message).toContain('tool "act"');
});

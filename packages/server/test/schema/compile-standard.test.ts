import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileInput, compileOutput } from "../../src/schema/compiled.js";
import { failure } from "./failure.js";
import { judge } from "./judge.js";

const WHERE = 'tool "greet"';

const LIBRARIES = [
  { library: "zod", schema: z.object({ name: z.string(), count: z.number().default(1), note: z.string().optional() }) },
  {
    library: "valibot",
    schema: toStandardJsonSchema(
      v.object({ name: v.string(), count: v.optional(v.number(), 1), note: v.optional(v.string()) }),
    ),
  },
  { library: "arktype", schema: type({ name: "string", count: "number = 1", "note?": "string" }) },
];

describe.each(LIBRARIES)("a schema of $library", ({ schema }) => {
  test("is published with what it takes, and hands on what it makes", async () => {
    const compiled = compileInput(schema, WHERE);

    expect(compiled.json).toMatchObject({
      type: "object",
      required: ["name"],
      properties: { name: { type: "string" } },
    });
    expect(await compiled.check({ name: "Ada" })).toEqual({ ok: true, value: { name: "Ada", count: 1 } });
  });

  test("says where a value is wrong", async () => {
    const checked = await compileInput(schema, WHERE).check({ name: 3 });

    expect(checked).toMatchObject({
      ok: false,
      issues: [{ path: "name", message: expect.stringContaining("string") }],
    });
  });

  test("answers without a promise", () => {
    expect(compileInput(schema, WHERE).check({ name: "Ada" })).not.toBeInstanceOf(Promise);
  });
});

describe("the two sides", () => {
  test("a default is not required of an input, and promised of an output", () => {
    const schema = z.object({ count: z.number().default(1) });

    expect(compileInput(schema, WHERE).json).not.toHaveProperty("required");
    expect(compileOutput(schema, WHERE).json).toHaveProperty("required", ["count"]);
  });

  test("a transform is published before it for an input", async () => {
    const compiled = compileInput(z.object({ n: z.string().transform((text) => text.length) }), WHERE);

    expect(compiled.json).toHaveProperty("properties.n", { type: "string" });
    expect(await compiled.check({ n: "four" })).toEqual({ ok: true, value: { n: 4 } });
  });

  test("a transform into a known type is published after it for an output", async () => {
    const schema = z.object({
      n: z
        .string()
        .transform((text) => text.length)
        .pipe(z.number()),
    });
    const compiled = compileOutput(schema, WHERE);

    expect(compiled.json).toHaveProperty("properties.n", { type: "number" });
    expect(await compiled.check({ n: "four" })).toEqual({ ok: true, value: { n: 4 } });
  });

  test("optional and nullable members keep their meaning", () => {
    const accepts = judge(compileInput(z.object({ a: z.string().nullable(), b: z.string().optional() }), WHERE).json);

    expect([{ a: null }, { a: "x", b: "y" }].map(accepts)).toEqual([true, true]);
    expect([{}, { a: 1 }, { a: "x", b: null }].map(accepts)).toEqual([false, false, false]);
  });

  test("an output can be any value", async () => {
    const compiled = compileOutput(z.array(z.number()), WHERE);

    expect(compiled.json).toEqual({ type: "array", items: { type: "number" } });
    expect(await compiled.check([1])).toEqual({ ok: true, value: [1] });
    expect(await compiled.check(["x"])).toMatchObject({ ok: false, issues: [{ path: "[0]" }] });
  });
});

describe("a schema that checks asynchronously", () => {
  test("is answered with a promise", async () => {
    const compiled = compileInput(z.object({ a: z.string().refine(async (text) => text !== "no") }), WHERE);

    expect(await compiled.check({ a: "yes" })).toEqual({ ok: true, value: { a: "yes" } });
    expect(await compiled.check({ a: "no" })).toMatchObject({ ok: false, issues: [{ path: "a" }] });
  });
});

describe("issues", () => {
  test("tell what each alternative of a union wanted", async () => {
    const schema = z.object({ item: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]) });
    const checked = await compileInput(schema, WHERE).check({ item: {} });

    expect(checked).toMatchObject({
      ok: false,
      issues: [{ path: "item", message: expect.stringMatching(/\(1\) a: .*\(2\) b: /) }],
    });
  });

  test("are written with indices and quoted names", async () => {
    const schema = z.object({ items: z.array(z.object({ "a b": z.string() })) });
    const checked = await compileInput(schema, WHERE).check({ items: [{ "a b": 1 }] });

    expect(checked).toMatchObject({ ok: false, issues: [{ path: 'items[0]["a b"]' }] });
  });

  test("do not repeat the path that ArkType writes", async () => {
    const checked = await compileInput(type({ name: "string" }), WHERE).check({ name: 3 });

    expect(checked).toMatchObject({
      ok: false,
      issues: [{ path: "name", message: expect.stringMatching(/^must be/) }],
    });
  });

  test("are few, however many members are wrong", async () => {
    const checked = await compileInput(z.object({ n: z.array(z.number()) }), WHERE).check({ n: Array(5000).fill("x") });

    expect(checked.ok === false && checked.issues.length).toBe(20);
  });

  test("say so when a value is deeper than the stack", async () => {
    const tree = z.object({
      get kid() {
        return tree.optional();
      },
    });
    let value = {};
    for (let depth = 0; depth < 100_000; depth += 1) value = { kid: value };

    expect(await compileInput(tree, WHERE).check(value)).toMatchObject({ ok: false, issues: [{ path: "" }] });
  });
});

describe("a schema that cannot be published", () => {
  test("is refused with the cure when it has no JSON Schema", () => {
    const { code, message } = failure(() => compileInput(v.object({ a: v.string() }), WHERE));

    expect(code).toBe("schema_unsupported");
    expect(message).toContain("toStandardJsonSchema");
    expect(message).toContain('tool "greet"');
  });

  test("is refused when an output ends in a bare transform", () => {
    const schema = z.object({ n: z.string().transform((text) => text.length) });

    expect(failure(() => compileOutput(schema, WHERE)).code).toBe("schema_unsupported");
  });

  test("is refused when JSON Schema has no word for a type", () => {
    expect(failure(() => compileInput(z.object({ when: z.date() }), WHERE)).message).toContain("Date");
  });
});

test("a member named __proto__ never becomes a prototype", async () => {
  const value = JSON.parse('{"a":1,"__proto__":{"isAdmin":true}}');

  expect(await compileInput(z.strictObject({ a: z.number() }), WHERE).check(value)).toMatchObject({ ok: false });
  expect(await compileInput(z.object({ a: z.number() }), WHERE).check(value)).toEqual({ ok: true, value: { a: 1 } });
  expect("isAdmin" in {}).toBe(false);
});

test.each(LIBRARIES)("an object of $library schemas is refused, naming the member", ({ schema }) => {
  const { code, message } = failure(() => compileInput({ person: schema }, WHERE));

  expect(code).toBe("schema_invalid");
  expect(message).toContain('"person"');
});

import { readSchema } from "@mortise/core/schema";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { scope } from "arktype";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { type CompiledSchema, compileInput } from "../../src/schema/compiled.js";
import { judge, listRefs } from "./judge.js";

interface Tree {
  name: string;
  kids: Tree[];
}

const zodTree = z.object({
  name: z.string(),
  get kids() {
    return z.array(zodTree);
  },
});
const lazyTree: z.ZodType<Tree> = z.lazy(() => z.object({ name: z.string(), kids: z.array(lazyTree) }));
const valibotTree: v.GenericSchema<Tree> = v.object({ name: v.string(), kids: v.array(v.lazy(() => valibotTree)) });
const arkTree = scope({ node: { name: "string", kids: "node[]" } }).export().node;
const plainTree = {
  $ref: "#/$defs/node",
  $defs: {
    node: {
      type: "object",
      properties: { name: { type: "string" }, kids: { type: "array", items: { $ref: "#/$defs/node" } } },
      required: ["name", "kids"],
    },
  },
};

const TREES = [
  { title: "zod with a getter", schema: zodTree },
  { title: "zod with lazy", schema: lazyTree },
  { title: "zod with a name", schema: z.object({ name: z.string(), kids: z.array(zodTree.meta({ id: "Tree" })) }) },
  { title: "valibot", schema: toStandardJsonSchema(valibotTree) },
  { title: "arktype", schema: arkTree },
  { title: "plain JSON Schema", schema: plainTree },
];

describe.each(TREES)("a recursive schema: $title", ({ schema }) => {
  const compiled = compileInput(schema, 'tool "tree"');

  test("is self-contained", () => {
    const refs = listRefs(compiled.json);

    expect(refs.length).toBeGreaterThan(0);
    expect(() => readSchema(compiled.json)).not.toThrow();
  });

  test("accepts a deep tree and refuses a wrong branch, as published and as checked", async () => {
    const accepts = judge(compiled.json);
    const good = grow(5);
    const wrong = { name: "root", kids: [{ name: "kid", kids: 3 }] };

    expect([accepts(good), accepts(wrong)]).toEqual([true, false]);
    expect([(await compiled.check(good)).ok, (await compiled.check(wrong)).ok]).toEqual([true, false]);
  });
});

describe("what is published", () => {
  const build: Record<string, () => CompiledSchema> = {
    named: () => compileInput(z.object({ a: address, b: address, c: address }), 'tool "one"'),
    shared: () => compileInput(z.object({ home: address }), 'tool "two"'),
    tree: () => compileInput(zodTree, 'tool "three"'),
    ark: () => compileInput(scope({ node: { label: "string", kids: "node[]" } }).export().node, 'tool "four"'),
  };
  const address = z.object({ street: z.string() }).meta({ id: "Address" });

  test("does not depend on the order of registration", () => {
    const names = Object.keys(build);
    const texts = (order: string[]): Map<string, string> =>
      new Map(order.map((name) => [name, JSON.stringify(build[name]?.().json)]));

    const forwards = texts(names);
    const backwards = texts(names.toReversed());

    expect(names.map((name) => backwards.get(name))).toEqual(names.map((name) => forwards.get(name)));
  });

  test("keeps a schema that is used three times as one definition", () => {
    const json = build["named"]?.().json ?? {};

    expect(listRefs(json)).toEqual(["#/$defs/Address", "#/$defs/Address", "#/$defs/Address"]);
    expect(json).toHaveProperty("$defs.Address.properties.street");
  });

  test("resolves mutual recursion", async () => {
    const a = z.object({
      get b() {
        return b.optional();
      },
    });
    const b = z.object({
      get a() {
        return a.optional();
      },
    });
    const { json } = compileInput(a, 'tool "mutual"');
    const accepts = judge(json);

    expect(() => readSchema(json)).not.toThrow();
    expect([accepts({ b: { a: { b: {} } } }), accepts({ b: { a: { b: 1 } } })]).toEqual([true, false]);
  });
});

function grow(depth: number): Tree {
  return { name: `level ${depth}`, kids: depth === 0 ? [] : [grow(depth - 1)] };
}

import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { AnySchema, InferInput, InferOutput, JsonSchema, StandardSchema } from "../../src/schema/infer.js";

describe("Standard Schema libraries", () => {
  const zod = z.object({
    name: z.string(),
    count: z.number().default(1),
    size: z.string().transform((text) => text.length),
  });
  const valibot = toStandardJsonSchema(v.object({ name: v.string(), count: v.optional(v.number(), 1) }));
  const ark = type({ name: "string", count: "number = 1" });

  test("fit where a schema is wanted", () => {
    expectTypeOf(zod).toExtend<StandardSchema>();
    expectTypeOf(valibot).toExtend<StandardSchema>();
    expectTypeOf(ark).toExtend<StandardSchema>();
    expectTypeOf(z.union([zod, zod])).toExtend<AnySchema>();
  });

  test("give the type before and after validation", () => {
    expectTypeOf<InferInput<typeof zod>>().toEqualTypeOf<{ name: string; count?: number | undefined; size: string }>();
    expectTypeOf<InferOutput<typeof zod>>().toEqualTypeOf<{ name: string; count: number; size: number }>();
    expectTypeOf<InferInput<typeof valibot>>().toEqualTypeOf<{ name: string; count?: number | undefined }>();
    expectTypeOf<InferOutput<typeof valibot>>().toEqualTypeOf<{ name: string; count: number }>();
    expectTypeOf<InferInput<typeof ark>>().toEqualTypeOf<{ name: string; count?: number }>();
    expectTypeOf<InferOutput<typeof ark>>().toEqualTypeOf<{ name: string; count: number }>();
  });

  test("keep a union a union", () => {
    const union = z.discriminatedUnion("op", [
      z.object({ op: z.literal("add"), n: z.number() }),
      z.object({ op: z.literal("drop") }),
    ]);

    expectTypeOf<InferOutput<typeof union>>().toEqualTypeOf<{ op: "add"; n: number } | { op: "drop" }>();
  });
});

/** As a definition takes a schema in place: its literals are kept without `as const`. */
declare function take<const S extends AnySchema>(schema: S): { input: InferInput<S>; output: InferOutput<S> };

describe("plain JSON Schema", () => {
  test("gives the types of its properties", () => {
    const { output } = take({
      type: "object",
      properties: {
        name: { type: "string" },
        age: { type: ["integer", "null"] },
        tags: { type: "array", items: { type: "string" } },
        kind: { enum: ["a", "b", 3] },
        fixed: { const: true },
        nested: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
        either: { anyOf: [{ type: "string" }, { type: "boolean" }] },
        free: {},
        any: true,
      },
      required: ["name", "kind"],
    });

    expectTypeOf(output).toEqualTypeOf<{
      name: string;
      kind: "a" | "b" | 3;
      age?: number | null;
      tags?: string[];
      fixed?: true;
      nested?: { x: number };
      either?: string | boolean;
      free?: unknown;
      any?: unknown;
    }>();
  });

  test("reads a constant written as const", () => {
    const schema = { type: "array", items: { type: "integer" } } as const;

    expectTypeOf<InferInput<typeof schema>>().toEqualTypeOf<number[]>();
    expectTypeOf<InferOutput<typeof schema>>().toEqualTypeOf<number[]>();
  });

  test("gives a record where the properties are open", () => {
    expectTypeOf(take({ type: "object" }).output).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(take({ type: "object", additionalProperties: { type: "number" } }).output).toEqualTypeOf<
      Record<string, number>
    >();
    expectTypeOf(take({ type: "object", additionalProperties: false }).output).toEqualTypeOf<Record<string, unknown>>();
  });

  test("gives a record to a handler, and anything from it, when the keywords are not known", () => {
    expectTypeOf<InferOutput<JsonSchema>>().toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf<InferInput<JsonSchema>>().toEqualTypeOf<unknown>();
    expectTypeOf<InferOutput<Record<string, unknown>>>().toEqualTypeOf<Record<string, unknown>>();
  });

  test("gives a record for an input without any keyword", () => {
    expectTypeOf(take({}).output).toEqualTypeOf<Record<string, unknown>>();
  });
});

import type { JsonObject } from "@mortise/core";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { openLegacy } from "./legacy-client.js";
import { accept, createServer, reply, send, textOf } from "./modern-client.js";

/** One field of each kind, as plain JSON Schema. */
const FIELDS = {
  name: { type: "string", title: "Name", description: "Yours", minLength: 1, maxLength: 9, default: "John Doe" },
  mail: { type: "string", format: "email" },
  age: { type: "integer", minimum: 0, maximum: 150, default: 30 },
  score: { type: "number", default: 95.5 },
  verified: { type: "boolean", default: true },
  untitledSingle: { type: "string", enum: ["active", "inactive"], default: "active" },
  titledSingle: {
    type: "string",
    oneOf: [
      { const: "#f00", title: "Red" },
      { const: "#0f0", title: "Green" },
    ],
    default: "#0f0",
  },
  legacyEnum: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
  untitledMulti: {
    type: "array",
    minItems: 1,
    maxItems: 2,
    items: { type: "string", enum: ["a", "b"] },
    default: ["a"],
  },
  titledMulti: { type: "array", items: { anyOf: [{ const: "a", title: "A" }] } },
};

async function askedFor(schema: object): Promise<JsonObject> {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { elicit }) => {
    await elicit({ message: "Fill in", schema: schema as JsonObject, key: "form" });
    return "";
  });
  const { result } = await send(server);
  return result.inputRequests?.form.params.requestedSchema ?? result;
}

describe("a form", () => {
  test("keeps types, titles, choices, limits and defaults of its fields", async () => {
    const schema = { type: "object", properties: FIELDS, required: ["name"] };

    expect(await askedFor(schema)).toEqual(schema);
  });

  test("is made of what a library says of its schema", async () => {
    const schema = z.object({
      name: z.string().min(2).describe("Yours"),
      mail: z.email().optional(),
      age: z.int().min(0).max(150).default(30),
      color: z.enum(["red", "green"]),
      size: z.union([z.literal("s").meta({ title: "Small" }), z.literal("l").meta({ title: "Large" })]),
      sizes: z.array(z.enum(["s", "l"])).min(1),
      maybe: z.string().nullable().optional(),
      either: z.union([z.literal("a"), z.literal("b"), z.null()]).optional(),
      sure: z.literal("yes"),
    });

    expect(await askedFor(schema)).toEqual({
      type: "object",
      properties: {
        name: { type: "string", minLength: 2, description: "Yours" },
        mail: { type: "string", format: "email" },
        age: { type: "integer", minimum: 0, maximum: 150, default: 30 },
        color: { type: "string", enum: ["red", "green"] },
        size: {
          type: "string",
          oneOf: [
            { const: "s", title: "Small" },
            { const: "l", title: "Large" },
          ],
        },
        sizes: { type: "array", minItems: 1, items: { type: "string", enum: ["s", "l"] } },
        maybe: { type: "string" },
        either: { type: "string", enum: ["a", "b"] },
        sure: { type: "string", enum: ["yes"] },
      },
      required: ["name", "color", "size", "sizes", "sure"],
    });
  });

  test("has no references, and only what forms know", async () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      additionalProperties: false,
      properties: {
        color: { $ref: "#/$defs/color", description: "Which" },
        code: { type: "string", pattern: "^[a-z]+$", format: "uuid" },
        pick: { enum: ["a"] },
        half: { anyOf: [{ const: "a", title: "A" }, { const: "b" }] },
      },
      $defs: { color: { type: "string", enum: ["red"] } },
    };

    expect(await askedFor(schema)).toEqual({
      type: "object",
      properties: {
        color: { type: "string", enum: ["red"], description: "Which" },
        code: { type: "string" },
        pick: { type: "string", enum: ["a"] },
        half: {
          type: "string",
          oneOf: [
            { const: "a", title: "A" },
            { const: "b", title: "b" },
          ],
        },
      },
    });
  });

  test("may have no fields: the user agrees, or not", async () => {
    expect(await askedFor({ type: "object" })).toEqual({ type: "object", properties: {} });
  });

  test.each([
    ["an object", { type: "object", properties: {} }],
    ["an array of text", { type: "array", items: { type: "string" } }],
    ["an array of objects", { type: "array", items: { type: "object" } }],
    ["a choice of numbers", { enum: [1, 2] }],
    ["a union of types", { anyOf: [{ type: "string" }, { type: "number" }] }],
    ["several types", { type: ["string", "number"] }],
    ["anything", {}],
    ["true", true],
  ])("cannot have a field that is %s", async (_, field) => {
    expect(await askedFor({ type: "object", properties: { field } })).toMatchObject({ isError: true });
  });

  test.each([
    ["a string", { type: "string" }],
    ["a union", { type: "object", oneOf: [{ properties: {} }] }],
    ["no schema", undefined],
  ])("cannot be %s", async (_, schema) => {
    expect(await askedFor(schema as never)).toMatchObject({ isError: true });
  });
});

describe("the content of an answer", () => {
  test("is what the schema makes of it", async () => {
    const { server } = createServer();
    const schema = z.object({
      when: z.iso.date().transform((text) => text.replaceAll("-", "")),
      note: z.string().default("none"),
    });
    server.tool("ask", {}, async (_, { elicit }) => {
      const answer = await elicit({ message: "When?", schema });
      return answer.action === "accept" ? `${answer.content.when} ${answer.content.note}` : "";
    });

    const second = await reply(server, await send(server), () => accept({ when: "2026-07-28" }));

    expect(textOf(second)).toBe("20260728 none");
  });

  test.each([
    ["plain JSON Schema", { type: "object", properties: { name: { type: "string" } } }],
    ["a library", z.looseObject({ name: z.string() })],
  ])("has only what the form has fields for: %s", async (_, schema) => {
    const { server } = createServer();
    server.tool("ask", {}, async (__, { elicit }) => JSON.stringify(await elicit({ message: "Name?", schema })));

    const second = await reply(server, await send(server), () => accept({ name: "Ada", admin: true }));

    expect(JSON.parse(textOf(second) ?? "")).toEqual(accept({ name: "Ada" }));
  });

  test("is checked by rules that forms cannot show, too", async () => {
    const { server } = createServer();
    const schema = {
      type: "object",
      properties: { code: { type: "string", pattern: "^[a-z]+$" } },
      required: ["code"],
    };
    server.tool("ask", {}, async (_, { elicit }) => (await elicit({ message: "Code?", schema, key: "code" })).action);

    const second = await reply(server, await send(server), () => accept({ code: "A1" }));
    const third = await reply(server, second, () => accept({ code: "ok" }));

    expect(second.result.resultType).toBe("input_required");
    expect(textOf(third)).toBe("accept");
  });

  test("is checked by schemas that take their time", async () => {
    const { server } = createServer();
    const schema = z.object({ name: z.string().refine(async (name) => name !== "taken") });
    server.tool("ask", {}, async (_, { elicit }) => (await elicit({ message: "Name?", schema, key: "name" })).action);

    const second = await reply(server, await send(server), () => accept({ name: "taken" }));
    const third = await reply(server, second, () => accept({ name: "free" }));

    expect(second.result.resultType).toBe("input_required");
    expect(textOf(third)).toBe("accept");
  });
});

describe("a form for a client of 2025-06-18", () => {
  async function putTo(version: string, properties: JsonObject): Promise<JsonObject | undefined> {
    const { server } = createServer();
    const schema = { type: "object", properties };
    server.tool("ask", {}, async (_, { elicit }) => (await elicit({ message: "Fill in", schema })).action);
    const client = openLegacy(server, () => ({ result: { action: "decline" } }), { version });
    const answer = await client.call();
    return client.put[0]?.params ?? answer.result;
  }

  test("has names beside values, and defaults of booleans alone", async () => {
    const { untitledMulti: _, titledMulti: __, ...fields } = FIELDS;

    expect(await putTo("2025-06-18", fields)).toEqual({
      message: "Fill in",
      requestedSchema: {
        type: "object",
        properties: {
          name: { type: "string", title: "Name", description: "Yours", minLength: 1, maxLength: 9 },
          mail: { type: "string", format: "email" },
          age: { type: "integer", minimum: 0, maximum: 150 },
          score: { type: "number" },
          verified: { type: "boolean", default: true },
          untitledSingle: { type: "string", enum: ["active", "inactive"] },
          titledSingle: { type: "string", enum: ["#f00", "#0f0"], enumNames: ["Red", "Green"] },
          legacyEnum: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] },
        },
      },
    });
  });

  test("cannot have several choices in one field, which fails the tool", async () => {
    expect(await putTo("2025-06-18", { many: FIELDS.untitledMulti })).toMatchObject({ isError: true });
  });

  test("is as it was written for one of 2025-11-25", async () => {
    expect(await putTo("2025-11-25", FIELDS)).toMatchObject({ mode: "form", requestedSchema: { properties: FIELDS } });
  });
});

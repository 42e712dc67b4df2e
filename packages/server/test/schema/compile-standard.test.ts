import { describe, expect, test } from "vitest";
import * as z from "zod";
import { compileInput } from "../../src/schema/compiled.js";

describe("a zod schema", () => {
  test("is published as JSON Schema and validates", async () => {
    const compiled = compileInput(z.object({ name: z.string(), n: z.number().default(1) }), 'tool "greet"');

    expect(compiled.json).toEqual({ type: "object", properties: { name: { type: "string" }, n: { type: "number", default: 1 } }, required: ["name"] });
    expect(await compiled.check({ name: "x" })).toEqual({ ok: true, value: { name: "x", n: 1 } });
    expect(await compiled.check({ name: 3 })).toMatchObject({ ok: false, issues: [{ path: "name" }] });
  });
});

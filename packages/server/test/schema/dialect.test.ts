import { describe, expect, test } from "vitest";
import { compileInput, compileOutput } from "../../src/schema/compiled.js";
import { failure } from "./failure.js";

const WHERE = 'tool "dialects"';

const KNOWN = [
  "http://json-schema.org/draft-07/schema#",
  "http://json-schema.org/draft-07/schema",
  "https://json-schema.org/draft-07/schema#",
  "https://json-schema.org/draft/2019-09/schema",
  "https://json-schema.org/draft/2020-12/schema",
  "https://json-schema.org/draft/2020-12/schema#",
];

test.each(KNOWN)("%s is published as it is, and checked", async ($schema) => {
  const compiled = compileOutput(
    { $schema, type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    WHERE,
  );

  expect(compiled.json["$schema"]).toBe($schema);
  expect((await compiled.check({ n: 1 })).ok).toBe(true);
  expect((await compiled.check({ n: "x" })).ok).toBe(false);
});

describe("an unknown dialect", () => {
  test.each([
    ["at the root", { $schema: "https://example.net/my-dialect" }],
    ["that is no text", { $schema: 7 }],
    ["at an older address", { $schema: "http://json-schema.org/draft-04/schema#" }],
    ["inside", { properties: { a: { $schema: "https://example.net/my-dialect" } } }],
  ])("%s is refused at registration", (_title, schema) => {
    const { code, message } = failure(() => compileInput(schema, WHERE));

    expect(code).toBe("schema_dialect");
    expect(message).toContain('tool "dialects"');
  });

  test("is named", () => {
    expect(failure(() => compileInput({ $schema: "https://example.net/my-dialect" }, WHERE)).message).toContain(
      "https://example.net/my-dialect",
    );
  });
});

test("draft-07 keeps its own rules: definitions, list items, lone references", async () => {
  const compiled = compileInput(
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { pair: { $ref: "#/definitions/pair", type: "string" } },
      definitions: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }], additionalItems: false } },
    },
    WHERE,
  );

  const verdicts = await Promise.all(
    [
      ["a", 1],
      [1, "a"],
      ["a", 1, 2],
    ].map(async (pair) => (await compiled.check({ pair })).ok),
  );

  expect(verdicts).toEqual([true, false, false]);
});

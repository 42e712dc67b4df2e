import type { ClientOptions } from "@mortise/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createOutputCheck } from "../src/json-schema/output-check.js";
import { startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

const SUM = { type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] };
const PAIR = { prefixItems: [{ type: "string" }, { type: "number" }], items: false };
const NEEDS_B = { type: "object", dependentRequired: { a: ["b"] } };
const CLOSED = {
  type: "object",
  allOf: [{ properties: { a: { type: "integer" } } }, { properties: { b: { type: "string" } } }],
  unevaluatedProperties: false,
};
const ANCHORED = {
  type: "object",
  $defs: { n: { $anchor: "x", type: "number" } },
  properties: { x: { $ref: "#x" } },
};
const NULLABLE = {
  type: "object",
  properties: {
    a: { type: ["string", "null"] },
    b: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
    c: { type: ["string", "integer"] },
    d: { enum: ["x", null] },
  },
};

/** A client of a modern server with one tool, which promises one thing and gives another. */
async function createTeller(outputSchema: unknown, result: object, options: Partial<ClientOptions> = {}) {
  const tool = { name: "tell", inputSchema: { type: "object" }, outputSchema };
  const answer = { resultType: "complete", content: [], ...result };
  const fake = await startFake(serveModern({ "tools/call": (reply) => reply.result(answer) }, [tool]));
  return openClient({ ...options, url: fake.url });
}

test.each<[string, unknown, unknown]>([
  ["an object", SUM, { sum: 3 }],
  ["a list", { type: "array", items: { type: "string" } }, ["a"]],
  ["null", { type: "null" }, null],
  [
    "anything of draft-07",
    {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      definitions: { n: { type: "number" } },
      properties: { n: { $ref: "#/definitions/n" } },
    },
    { n: 1 },
  ],
  [
    "anything of 2019-09",
    { $schema: "https://json-schema.org/draft/2019-09/schema", $recursiveAnchor: true, type: "object" },
    { n: 1 },
  ],
  ["a list with a type for each place", PAIR, ["a", 1]],
  ["a member with the one that it needs", NEEDS_B, { a: 1, b: 2 }],
  ["members that one of several parts knows", CLOSED, { a: 1, b: "x" }],
  ["what a name within the schema stands for", ANCHORED, { x: 1 }],
  ["null where it may be", NULLABLE, { a: null, b: null, c: 3, d: null }],
  ["a value where null may be", NULLABLE, { a: "x", b: 3, c: "x", d: "x" }],
])("structured content that fits its schema passes: %s", async (_title, schema, structuredContent) => {
  const { problems, onError } = collectProblems();
  const client = await createTeller(schema, { structuredContent }, { onError });

  expect((await client.callTool("tell")).structuredContent).toEqual(structuredContent);
  expect(problems).toEqual([]);
});

test.each<[string, unknown, unknown]>([
  ["another type", SUM, { sum: "3" }],
  ["a member missing", SUM, {}],
  ["nothing at all", SUM, undefined],
  ["an inherited member for one of its own", { type: "object", required: ["toString"] }, {}],
  ["a keyword of 2020-12 broken", { prefixItems: [{ type: "string" }], items: false }, ["a", "b"]],
  [
    "a keyword of draft-07 broken",
    { $schema: "http://json-schema.org/draft-07/schema#", dependencies: { a: ["b"] } },
    { a: 1 },
  ],
  [
    "a list of draft-07 with another type at a place",
    { $schema: "http://json-schema.org/draft-07/schema#", items: [{ type: "string" }, { type: "number" }] },
    [1, "a"],
  ],
  [
    "a keyword of 2019-09 broken",
    { $schema: "https://json-schema.org/draft/2019-09/schema", type: "object", dependentRequired: { a: ["b"] } },
    { a: 1 },
  ],
  ["a dialect that is named", { $schema: "https://json-schema.org/draft/2020-12/schema", ...SUM }, { sum: "3" }],
  ["other types at the places of a list", PAIR, [1, "a"]],
  ["more than the places of a list", PAIR, ["a", 1, 2]],
  ["a member without the one that it needs", NEEDS_B, { a: 1 }],
  ["a member that no part knows", CLOSED, { a: 1, c: true }],
  ["another type than a name within the schema stands for", ANCHORED, { x: "1" }],
  ["a number where text or null may be", NULLABLE, { a: 3 }],
  ["text where a number or null may be", NULLABLE, { b: "x" }],
  ["null where text or a number may be", NULLABLE, { c: null }],
  ["a number where one text or null may be", NULLABLE, { d: 3 }],
])("structured content that does not fit rejects: %s", async (_title, schema, structuredContent) => {
  const client = await createTeller(schema, { structuredContent });

  expect(await failureOf(client.callTool("tell"))).toMatchObject({ code: "invalid_output" });
});

test("tools of every dialect are listed together, and each is checked by its own", async () => {
  const { problems, onError } = collectProblems();
  const dialects = [
    "http://json-schema.org/draft-07/schema#",
    "https://json-schema.org/draft/2019-09/schema",
    "https://json-schema.org/draft/2020-12/schema",
    undefined,
    "https://example.net/my-dialect",
  ];
  const tools = dialects.map(($schema, at) => {
    return { name: `tool ${at}`, inputSchema: { type: "object" }, outputSchema: { $schema, ...SUM } };
  });
  const answer = { resultType: "complete", content: [], structuredContent: { sum: "3" } };
  const fake = await startFake(serveModern({ "tools/call": (reply) => reply.result(answer) }, tools));
  const client = openClient({ url: fake.url, onError });
  await client.connect();

  const outcomes = await Promise.all(
    client.getToolNames().map((name) =>
      client.callTool(name).then(
        () => "passes",
        ({ code }) => code,
      ),
    ),
  );

  expect(outcomes).toEqual([...Array(4).fill("invalid_output"), "passes"]);
  expect(problems).toHaveLength(1);
  expect(problems[0]?.message).toMatch(/tool 4.*my-dialect/s);
});

test("says where the content is wrong", async () => {
  const client = await createTeller(SUM, { structuredContent: { sum: 1.5 } });

  expect((await failureOf(client.callTool("tell"))).message).toContain("/sum");
});

test("a tool that failed may give what it likes", async () => {
  const client = await createTeller(SUM, { isError: true, structuredContent: { why: "no" } });

  expect((await client.callTool("tell")).isError).toBe(true);
});

test("nothing is checked where that was asked for", async () => {
  const client = await createTeller(SUM, { structuredContent: {} }, { validateOutput: false });

  expect((await client.callTool("tell")).structuredContent).toEqual({});
});

test("nothing is checked on a revision that has no structured content", async () => {
  const listed = { tools: [{ name: "tell", inputSchema: { type: "object" }, outputSchema: SUM }] };
  const fake = await startFake(
    serveLegacy({ version: "2025-03-26", overrides: { "tools/list": (reply) => reply.result(listed) } }),
  );
  const client = openClient(fake.url);

  expect((await client.callTool("tell", { text: "x" })).text).toBe("x");
});

describe("a schema that cannot be used is reported once, and the result passes", () => {
  test.each([
    ["of an old dialect", { $schema: "http://json-schema.org/draft-04/schema#", type: "object" }],
    ["of an unknown dialect", { $schema: "https://example.net/my-dialect", type: "object" }],
    ["that is malformed", { type: "thing" }],
    ["that leads elsewhere", { $ref: "https://a.test/schema.json" }],
    ["whose pattern takes for ever", { type: "object", patternProperties: { "^(a+)+$": {} } }],
    ["that refers to itself", { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }],
  ])("%s", async (_title, schema) => {
    const { problems, onError } = collectProblems();
    const client = await createTeller(schema, { structuredContent: { any: 1 } }, { onError });

    await client.callTool("tell");
    const { structuredContent } = await client.callTool("tell");

    expect(structuredContent).toEqual({ any: 1 });
    expect(problems).toHaveLength(1);
  });
});

test("content that is nested deeper than the stack is refused, or passes, and throws nothing", () => {
  const schema = { $defs: { list: { type: "array", items: { $ref: "#/$defs/list" } } }, $ref: "#/$defs/list" };
  let deep: unknown = [];
  for (let level = 0; level < 100_000; level += 1) deep = [deep];

  expect(createOutputCheck(schema, "schema")(deep)).toBe("/ is nested too deeply");
});

test("verdicts are the same where code cannot be made", async () => {
  // A function that can be called with `new`, as the real one.
  const forbidden = vi.fn(function forbid() {
    throw new EvalError("forbidden");
  });
  vi.resetModules();
  vi.stubGlobal("Function", forbidden);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const { createSchemaCheck } = await import("../src/json-schema/engine.js");
  const check = createSchemaCheck(SUM);

  expect([check.accepts({ sum: 1 }), check.accepts({ sum: "1" })]).toEqual([true, false]);
  expect(check.explain({ sum: "1" })).toHaveLength(1);
  expect(forbidden).toHaveBeenCalled();
});

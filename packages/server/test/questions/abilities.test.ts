import type { JsonObject } from "@mortise/core";
import type { HandlerContext } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { openLegacy } from "./legacy-client.js";
import { createServer, NAME_SCHEMA, send, textOf } from "./modern-client.js";

const MESSAGES = [{ role: "user", content: { type: "text", text: "Hi" } }] as const;
const TOOL = { name: "t", inputSchema: { type: "object" } };

const QUESTIONS: readonly [string, JsonObject, (context: HandlerContext) => Promise<unknown>][] = [
  ["a form", { elicitation: { form: {} } }, ({ elicit }) => elicit({ message: "Who?", schema: NAME_SCHEMA })],
  ["a page", { elicitation: { url: {} } }, ({ elicit }) => elicit({ message: "Go", url: "https://a.example/" })],
  ["a model", { sampling: {} }, ({ sample }) => sample({ messages: MESSAGES, maxTokens: 1 })],
  [
    "a model with tools",
    { sampling: { tools: {} } },
    ({ sample }) => sample({ messages: MESSAGES, maxTokens: 1, tools: [TOOL] }),
  ],
  ["folders", { roots: {} }, ({ listRoots }) => listRoots()],
];

function declaring(capabilities: JsonObject): { readonly meta: JsonObject } {
  return { meta: { "io.modelcontextprotocol/clientCapabilities": capabilities } };
}

function createAsking(ask: (context: HandlerContext) => Promise<unknown>) {
  const created = createServer();
  created.server.tool("ask", {}, async (_, context) => {
    await ask(context);
    return "done";
  });
  created.server.prompt("ask", {}, async (_, context) => {
    await ask(context);
    return "done";
  });
  created.server.resource("test://ask", { name: "ask" }, async (_, context) => {
    await ask(context);
    return "done";
  });
  return created;
}

describe.each(QUESTIONS)("%s", (_, capabilities, ask) => {
  test("is not asked of a modern client that declared nothing, which learns what it lacks", async () => {
    const { server, errors } = createAsking(ask);

    const { error } = await send(server, declaring({}));

    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: capabilities } });
    expect(errors).toEqual([]);
  });

  test("is asked of a modern client that declared it", async () => {
    const { server } = createAsking(ask);

    expect((await send(server, declaring(capabilities))).result.resultType).toBe("input_required");
  });

  test("fails the tool for a legacy client that declared nothing", async () => {
    const { server, errors } = createAsking(ask);
    const client = openLegacy(server, () => undefined, { capabilities: {} });

    const { result } = await client.call();

    expect(result.isError).toBe(true);
    expect(client.put).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("is an error for a prompt or a resource of a legacy client that declared nothing", async () => {
    const { server } = createAsking(ask);
    const client = openLegacy(server, () => undefined, { capabilities: {} });

    expect((await client.ask("prompts/get", { name: "ask" })).error.code).toBe(-32602);
    expect((await client.ask("resources/read", { uri: "test://ask" })).error.code).toBe(-32602);
  });
});

test("a client without tools for its model is not given any", async () => {
  const { server } = createAsking(({ sample }) => sample({ messages: MESSAGES, maxTokens: 1, tools: [TOOL] }));

  const { error } = await send(server, declaring({ sampling: {} }));

  expect(error.data).toEqual({ requiredCapabilities: { sampling: { tools: {} } } });
});

test("an elicitation without modes means forms", async () => {
  const { server } = createServer();
  server.tool("ask", {}, (_, { can }) => `${can("elicit.form")} ${can("elicit.url")} ${can("sample")}`);

  expect(textOf(await send(server, declaring({ elicitation: {} })))).toBe("true false false");
});

test("several questions are not put where one of them cannot be", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { ask }) => {
    await ask({ name: { elicit: { message: "Who?", schema: NAME_SCHEMA } }, where: { roots: {} } });
    return "done";
  });

  const { error } = await send(server, declaring({ elicitation: {} }));

  expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { roots: {} } } });
});

test("an ability is needed to be asked, not to have answered", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { listRoots }) => String((await listRoots({ key: "where" })).roots.length));
  const first = await send(server, declaring({ roots: {} }));
  const state = first.result.requestState;

  const answered = await send(server, { state, responses: { where: { roots: [] } }, ...declaring({}) });
  const malformed = await send(server, { state, responses: { where: 5 }, ...declaring({}) });
  const missing = await send(server, { state, responses: {}, ...declaring({}) });

  expect(textOf(answered)).toBe("0");
  expect([malformed.error.code, missing.error.code]).toEqual([-32021, -32021]);
});

test("a handler may go on without the question that cannot be put", async () => {
  const { server } = createServer();
  server.tool("ask", {}, async (_, { listRoots }) => {
    const { roots } = await listRoots().catch(() => ({ roots: [] }));
    return String(roots.length);
  });

  expect(textOf(await send(server, declaring({})))).toBe("0");
});

describe("what a definition asks", () => {
  function createStrict() {
    const created = createServer();
    let runs = 0;
    const run = (): string => String(++runs);
    created.server.tool("ask", { asks: ["roots"] }, run);
    created.server.prompt("ask", { asks: ["roots"] }, run);
    created.server.resource("test://ask", { name: "ask", asks: ["roots"] }, run);
    return { ...created, runs: () => runs };
  }
  const REQUESTS: readonly [string, JsonObject][] = [
    ["tools/call", { name: "ask", arguments: {} }],
    ["prompts/get", { name: "ask" }],
    ["resources/read", { uri: "test://ask" }],
  ];

  test.each(REQUESTS)("is checked before %s runs, on modern revisions", async (method, params) => {
    const { server, runs } = createStrict();

    const { error } = await send(server, { method, params, ...declaring({ elicitation: {} }) });

    expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: { roots: {} } } });
    expect(runs()).toBe(0);
    expect((await send(server, { method, params })).error).toBeUndefined();
  });

  test.each(REQUESTS)("is checked before %s runs, on legacy revisions", async (method, params) => {
    const { server, runs } = createStrict();
    const client = openLegacy(server, () => undefined, { capabilities: {} });

    const { result, error } = await client.ask(method, params);

    if (method === "tools/call") expect(result.isError).toBe(true);
    else expect(error.code).toBe(-32602);
    expect(runs()).toBe(0);
  });
});

describe("legacy revisions", () => {
  test.each([
    ["2025-11-25", ["elicit.form", "elicit.url", "sample", "sample.tools", "roots"]],
    ["2025-06-18", ["elicit.form", "sample", "roots"]],
    ["2025-03-26", ["sample", "roots"]],
    ["2024-11-05", ["sample", "roots"]],
  ])("have the questions they know: %s", async (version, known) => {
    const { server } = createServer();
    server.tool("ask", {}, (_, { can }) =>
      (["elicit.form", "elicit.url", "sample", "sample.tools", "roots"] as const).filter(can).join(" "),
    );

    const answer = await openLegacy(server, () => undefined, { version }).call();

    expect(textOf(answer)).toBe(known.join(" "));
  });

  test("have none where nothing carries them", async () => {
    const { server } = createServer();
    server.tool("ask", {}, (_, { can }) => String(can("sample")));

    const response = await server.handle({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "ask", arguments: {} },
    });

    expect(textOf(response as never)).toBe("false");
  });
});

test("nothing else than tools, prompts and resources can ask", async () => {
  const { server } = createServer();
  let failure: unknown;
  server.extend({
    id: "com.example/asking",
    methods: {
      "asking/run": {
        async run(_, context) {
          failure = await context.listRoots().catch((error: unknown) => error);
          return {};
        },
      },
    },
  });

  const { result } = await send(server, {
    method: "asking/run",
    params: {},
    ...declaring({ roots: {}, extensions: { "com.example/asking": {} } }),
  });

  expect(result.resultType).toBe("complete");
  expect(failure).toMatchObject({ code: "invalid_options" });
});

import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { createFakePipe, type PipeReply } from "./fake-pipe.js";
import { initializeResult, serveLegacy } from "./legacy-server.js";
import { ECHO_TOOL, serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

function tool(name: string, inputSchema: unknown = { type: "object" }, rest: object = {}): object {
  return { name, inputSchema, ...rest };
}

describe("the list of tools", () => {
  test("is read page by page; an empty cursor is one like any other", async () => {
    const pages: Record<string, unknown> = {
      first: { tools: [tool("a")], nextCursor: "" },
      "": { tools: [tool("b")], nextCursor: "2" },
      "2": { tools: [tool("c")] },
    };
    const fake = await startFake(
      serveModern({
        "tools/list": (reply) => reply.result(pages[String(reply.request.message.params?.cursor ?? "first")]),
      }),
    );
    const client = openClient(fake.url);

    await client.connect();

    expect(client.getToolNames()).toEqual(["a", "b", "c"]);
    expect(fake.log.slice(1).map(({ message }) => message.params?.cursor)).toEqual([undefined, "", "2"]);
  });

  test("ends when a server gives the same cursor again", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(
      serveModern({ "tools/list": (reply) => reply.result({ tools: [tool("a")], nextCursor: "same" }) }),
    );
    const client = openClient({ url: fake.url, onError });

    await client.connect();

    expect(client.getToolNames()).toEqual(["a"]);
    expect(fake.methods()).toHaveLength(3);
    expect(problems.length).toBeGreaterThan(0);
  });

  test("is empty for a server without tools/list", async () => {
    const fake = await startFake(
      serveModern({ "tools/list": (reply) => reply.error(-32601, "Method not found", { status: 404 }) }),
    );
    const client = openClient(fake.url);

    await client.connect();

    expect(client.tools).toEqual([]);
  });

  test("is empty for a legacy server without tools/list, on a pipe as over HTTP", async () => {
    const unknown = ({ error }: Pick<PipeReply, "error">): void => error(-32601, "Method not found");
    const fake = await startFake(serveLegacy({ overrides: { "tools/list": unknown } }));
    const pipe = createFakePipe((reply) => {
      if (reply.message.method === "initialize") reply.result({ ...initializeResult(), capabilities: {} });
      else if (reply.message.id !== undefined) unknown(reply);
    });

    for (const client of [openClient(fake.url), openClient({ transport: pipe })]) {
      await client.connect();

      expect(client.tools).toEqual([]);
      expect(client.verdict).toMatchObject({ era: "legacy" });
    }
  });

  test("is not asked of a server that declares other abilities only", async () => {
    const discovered = { supportedVersions: ["2026-07-28"], capabilities: { prompts: {} } };
    const fake = await startFake(serveModern({ "server/discover": (reply) => reply.result(discovered) }));
    const client = openClient(fake.url);

    await client.connect();

    expect(client.tools).toEqual([]);
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test("that fails otherwise fails the connection, and leaves calls possible", async () => {
    const fake = await startFake(serveModern({ "tools/list": (reply) => reply.error(-32603, "broken") }));
    const client = openClient(fake.url);

    const error = await failureOf(client.connect());
    const { text } = await client.callTool("echo", { text: "hi" });

    expect(error).toMatchObject({ code: -32603 });
    expect(text).toBe("hi");
  });

  test("loses unusable tools one by one, with a warning that names each", async () => {
    const { problems, onError } = collectProblems();
    const listed = [
      tool("A"),
      tool("B", {}),
      tool("C", { type: "string" }),
      { name: "D" },
      tool("E", null),
      tool("F", { type: "object", properties: { any: true } }),
      tool("G", { type: "object" }, { extra: 1 }),
      "no tool",
      { inputSchema: { type: "object" } },
      tool("A", { type: "object" }, { description: "second" }),
    ];
    const fake = await startFake(serveModern({}, listed));
    const client = openClient({ url: fake.url, onError });

    await client.connect();

    expect(client.getToolNames()).toEqual(["A", "B", "F", "G"]);
    expect(client.getTool("B")?.inputSchema).toEqual({ type: "object" });
    expect(client.getTool("G")).toMatchObject({ extra: 1 });
    for (const name of ["B", "C", "D", "E"])
      expect(problems.filter(({ message }) => message.includes(`"${name}"`))).toHaveLength(1);
    expect(problems).toHaveLength(7);
  });

  test("holds tools with the names of built-in members", async () => {
    const fake = await startFake(serveModern({}, [tool("__proto__"), tool("constructor")]));
    const client = openClient(fake.url);

    await client.connect();

    expect(client.getToolNames()).toEqual(["__proto__", "constructor"]);
    expect(client.hasTool("constructor")).toBe(true);
    expect(client.hasTool("toString")).toBe(false);
    expect(client.getTool("hasOwnProperty")).toBeUndefined();
  });

  test("comes in the shape of chat completions", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    await client.initialize();

    expect(client.toChatTools()).toEqual([
      { type: "function", function: { name: "echo", description: "Says it again", parameters: ECHO_TOOL.inputSchema } },
    ]);
  });

  test("is cached until it is fetched again", async () => {
    let tools = [tool("a")];
    const fake = await startFake(serveModern({ "tools/list": (reply) => reply.result({ tools }) }));
    const client = openClient(fake.url);

    const first = await client.initialize();
    tools = [tool("b")];
    const cached = client.listTools();
    const fresh = await client.getTools();

    expect(cached).toBe(first);
    expect(fresh.map(({ name }) => name)).toEqual(["b"]);
    expect(client.listTools()).toEqual(fresh);
  });

  test("that was fetched is the caller's: what is done to it changes nothing for the client", async () => {
    const fake = await startFake(
      serveModern({ "tools/list": (reply) => reply.result({ tools: [tool("a"), tool("b")], ttlMs: 60_000 }) }),
    );
    const client = openClient(fake.url);

    const fetched = (await client.fetchTools()) as object[]; // a caller without types
    fetched.reverse();
    fetched.length = 1;

    expect(client.getToolNames()).toEqual(["a", "b"]);
    expect(client.toChatTools()).toHaveLength(2);
    expect(((await client.request("tools/list")) as { tools?: unknown }).tools).toHaveLength(2);
  });

  test("is fetched once by callers that connect together", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    await Promise.all([
      client.connect(),
      client.connect(),
      client.initialize(),
      client.callTool("echo"),
      client.callTool("echo"),
    ]);

    expect(fake.methods().sort()).toEqual(["server/discover", "tools/call", "tools/call", "tools/list"]);
  });
});

describe("the result of a tool", () => {
  async function callWith(result: unknown): Promise<Awaited<ReturnType<ReturnType<typeof openClient>["callTool"]>>> {
    const fake = await startFake(serveModern({ "tools/call": (reply) => reply.result(result) }));
    return openClient(fake.url).callTool("x");
  }

  test("joins its texts and keeps members it does not know", async () => {
    const content = [
      { type: "text", text: "a" },
      { type: "image", data: "", mimeType: "image/png" },
      { type: "text", text: "b" },
      { type: "odd" },
    ];

    const result = await callWith({ resultType: "complete", content, structuredContent: null, extra: 1 });

    expect(result).toMatchObject({ content, structuredContent: null, isError: false, text: "a\nb", extra: 1 });
  });

  test("is complete when it says nothing of its type", async () => {
    expect(await callWith({ content: [] })).toMatchObject({ content: [], isError: false, text: "" });
  });

  test.each([
    ["on the result", { content: [{ type: "text", text: "no" }], isError: true }],
    ["inside a block", { content: [{ type: "text", text: "no", isError: true }] }],
  ])("is a failure when that is marked %s", async (_, result) => {
    expect(await callWith(result)).toMatchObject({ isError: true, text: "no" });
  });

  test("that needs input is a clear error", async () => {
    const error = await failureOf(callWith({ resultType: "input_required", inputRequests: {} }));

    expect(error).toMatchObject({ code: "input_required", cause: { inputRequests: {} } });
  });

  test.each(["task", "", 7])("of the unknown type %j is refused", async (resultType) => {
    const error = await failureOf(callWith({ resultType, content: [] }));

    expect(error).toMatchObject({ code: "unknown_result_type" });
  });

  test("that is an error of the server keeps code and data", async () => {
    const fake = await startFake(
      serveModern({ "tools/call": (reply) => reply.error(-32602, "Unknown tool", { data: { name: "x" } }) }),
    );

    const error = await failureOf(openClient(fake.url).callTool("x"));

    expect(error).toMatchObject({ name: "JsonRpcError", code: -32602, data: { name: "x" }, message: "Unknown tool" });
  });
});

describe("the output check", () => {
  const typed = tool("typed", { type: "object" }, { outputSchema: { type: "object" } });

  test("gets the tool and its structured content", async () => {
    const checked: unknown[] = [];
    const fake = await startFake(
      serveModern({ "tools/call": (reply) => reply.result({ content: [], structuredContent: { n: 1 } }) }, [
        typed,
        ECHO_TOOL,
      ]),
    );
    const client = openClient({ url: fake.url, validateOutput: ({ name }, value) => void checked.push([name, value]) });

    await client.callTool("typed");
    await client.callTool("echo");

    expect(checked).toEqual([["typed", { n: 1 }]]);
  });

  test("rejects the call with what it throws", async () => {
    const fake = await startFake(serveModern({}, [typed]));
    const client = openClient({ url: fake.url, validateOutput: () => Promise.reject(new RangeError("wrong")) });

    const error = await failureOf(client.callTool("typed"));

    expect(error).toBeInstanceOf(RangeError);
  });
});

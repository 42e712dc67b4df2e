import { MCPServer, MortiseError, type ServerTransport } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { describeEras, modern } from "./eras.js";

const info = { name: "test", version: "1" };

function codeOf(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error instanceof MortiseError ? error.code : error;
  }
  return "nothing thrown";
}

describe("options that cannot be served", () => {
  test.each([
    ["no name", { ...info, name: "" }],
    ["no version", { ...info, version: undefined }],
    ["an unknown protocol version", { ...info, protocolVersions: ["2020-01-01"] }],
    ["no protocol version at all", { ...info, protocolVersions: [] }],
    ["an empty page", { ...info, pageSize: 0 }],
    ["half a page", { ...info, pageSize: 1.5 }],
    ["a negative time to live", { ...info, cache: { tools: { ttlMs: -1 } } }],
    ["an unknown cache scope", { ...info, cache: { tools: { scope: "shared" } } }],
  ])("throw at construction: %s", (_, options) => {
    expect(codeOf(() => new MCPServer(options as never))).toBe("invalid_options");
  });
});

describe("registering a tool", () => {
  test.each([
    ["without a name", "", {}, () => "", "invalid_options"],
    ["without a handler", "t", {}, undefined, "invalid_options"],
    ["with a schema whose root is no object", "t", { input: { type: "string" } }, () => "", "schema_invalid"],
    [
      "with a parameter header that breaks the rules",
      "t",
      { input: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } } },
      () => "",
      "invalid_param_header",
    ],
  ])("%s throws and leaves the others served", (_, name, definition, handler, code) => {
    const server = new MCPServer(info);
    server.tool("good", {}, () => "x");

    expect(codeOf(() => server.tool(name, definition as never, handler as never))).toBe(code);
    expect(server.getToolDefinitions().map((tool) => tool.name)).toEqual(["good"]);
  });

  test("twice under one name throws", () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => "x");

    expect(codeOf(() => server.tool("t", {}, () => "y"))).toBe("duplicate_name");
  });

  test("in the constructor takes plain JSON Schema", async () => {
    const handler = vi.fn(() => "x");
    const tools = [{ name: "t", description: "d", inputSchema: { type: "object", required: ["a"] }, handler }];
    const server = new MCPServer({ ...info, tools });

    expect((await modern.call(server, "t", {})).result.isError).toBe(true);
    expect((await modern.call(server, "t", { a: 1 })).result.content[0].text).toBe("x");
  });

  test("gives a handle that updates the one tool", async () => {
    const server = new MCPServer(info);
    const tool = server.tool("t", { description: "old", input: z.object({ a: z.number() }) }, () => "old");

    tool.update({ description: "new", handler: () => "new" });

    expect(server.getToolDefinitions()[0]).toMatchObject({ description: "new", inputSchema: { required: ["a"] } });
    expect((await modern.call(server, "t", { a: 1 })).result.content[0].text).toBe("new");
  });

  test("gives a handle whose failed update changes nothing", () => {
    const server = new MCPServer(info);
    const tool = server.tool("t", { description: "old" }, () => "old");

    expect(codeOf(() => tool.update({ description: "new", input: { type: "string" } }))).toBe("schema_invalid");
    expect(server.getToolDefinitions()[0]?.description).toBe("old");
  });

  test("gives copies of the definitions that can be changed freely", () => {
    const server = new MCPServer(info);
    server.tool("t", { input: z.object({ a: z.number() }) }, () => "x");

    Object.assign(server.getToolDefinitions()[0]?.inputSchema as object, { type: "broken" });

    expect(server.getToolDefinitions()[0]?.inputSchema).toMatchObject({ type: "object" });
  });
});

describeEras("tools/list", ({ ask }) => {
  function createServer(count: number, pageSize?: number): MCPServer {
    const server = new MCPServer({ ...info, ...(pageSize === undefined ? {} : { pageSize }) });
    for (let index = 1; index <= count; index += 1) server.tool(`t${index}`, {}, () => "x");
    return server;
  }
  const names = (result: { tools: { name: string }[] }) => result.tools.map(({ name }) => name);

  test("lists everything on one page, in the order of registration", async () => {
    const { result } = await ask(createServer(5), "tools/list");

    expect(names(result)).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    expect(result).not.toHaveProperty("nextCursor");
  });

  test("goes through pages by cursors", async () => {
    const server = createServer(5, 2);
    const first = (await ask(server, "tools/list")).result;
    const second = (await ask(server, "tools/list", { cursor: first.nextCursor })).result;
    const third = (await ask(server, "tools/list", { cursor: second.nextCursor })).result;

    expect([names(first), names(second), names(third)]).toEqual([["t1", "t2"], ["t3", "t4"], ["t5"]]);
    expect(third).not.toHaveProperty("nextCursor");
  });

  test("ends a list that fills its last page", async () => {
    const { result } = await ask(createServer(2, 2), "tools/list");

    expect(result).not.toHaveProperty("nextCursor");
  });

  test("keeps a cursor's place when tools come and go", async () => {
    const server = createServer(4, 2);
    const { nextCursor } = (await ask(server, "tools/list")).result;
    const extra = server.tool("extra", {}, () => "x");
    server.tool("more", {}, () => "x");
    extra.remove();

    const { result } = await ask(server, "tools/list", { cursor: nextCursor });

    expect(names(result)).toEqual(["t3", "t4"]);
  });

  test("understands the cursor of another process with the same tools", async () => {
    const { nextCursor } = (await ask(createServer(3, 2), "tools/list")).result;

    expect(names((await ask(createServer(3, 2), "tools/list", { cursor: nextCursor })).result)).toEqual(["t3"]);
  });

  test.each(["", "x", "!!!", btoa("tools:"), btoa("tools:-1"), btoa("other:1"), "A".repeat(1000)])(
    "refuses the cursor %j",
    async (cursor) => {
      expect((await ask(createServer(3, 2), "tools/list", { cursor })).error.code).toBe(-32602);
    },
  );

  test.each([5, null, {}])("refuses a cursor that is no string: %j", async (cursor) => {
    expect((await ask(createServer(3, 2), "tools/list", { cursor })).error.code).toBe(-32602);
  });

  test("shows a change at once, however often the list was asked for before", async () => {
    const server = createServer(1);
    await ask(server, "tools/list");
    const tool = server.tool("new", {}, () => "x");

    expect(names((await ask(server, "tools/list")).result)).toEqual(["t1", "new"]);
    tool.disable();
    expect(names((await ask(server, "tools/list")).result)).toEqual(["t1"]);
  });

  test("gives the same bytes each time", async () => {
    const server = createServer(3);

    expect(await ask(server, "tools/list")).toEqual(await ask(server, "tools/list"));
  });

  test("does not exist on a server that never had tools", async () => {
    expect((await ask(new MCPServer(info), "tools/list")).error.code).toBe(-32601);
    expect((await ask(new MCPServer({ ...info, tools: [] }), "tools/list")).result.tools).toEqual([]);
  });
});

describe("middleware", () => {
  test("runs around every request, the first one outermost", async () => {
    const server = new MCPServer({ ...info, tools: [] });
    const order: string[] = [];
    server.use(async ({ method }, next) => {
      order.push(`first ${method}`);
      const result = await next();
      order.push("first after");
      return result;
    });
    server.use((_, next) => {
      order.push("second");
      return next();
    });

    const { result } = await modern.ask(server, "tools/list");

    expect(order).toEqual(["first tools/list", "second", "first after"]);
    expect(result).toMatchObject({ resultType: "complete", tools: [] });
  });

  test("may change the result, or answer itself", async () => {
    const server = new MCPServer(info);
    const handler = vi.fn(() => "x");
    server.tool("t", {}, handler);
    server.use(() => ({ content: [{ type: "text", text: "mine" }] }));

    expect((await modern.call(server, "t")).result.content[0].text).toBe("mine");
    expect(handler).not.toHaveBeenCalled();
  });

  test("knows who asks for what", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => "x");
    const seen = vi.fn();
    server.use((call, next) => {
      seen(call.method, call.params.name, call.client?.name, call.principal, call.protocolVersion);
      return next();
    });

    await modern.ask(server, "tools/call", { name: "t" }, { principal: "ann" });

    expect(seen).toHaveBeenCalledExactlyOnceWith("tools/call", "t", "probe", "ann", "2026-07-28");
  });

  test("that throws fails the call without telling why", async () => {
    const onError = vi.fn();
    const server = new MCPServer({ ...info, tools: [], onError });
    server.use(() => Promise.reject(new Error("secret")));

    expect((await modern.ask(server, "tools/list")).error).toEqual({ code: -32603, message: "Internal error" });
    expect(onError).toHaveBeenCalledOnce();
  });
});

describe("handle", () => {
  test.each([
    ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }],
    ["a response", { jsonrpc: "2.0", id: 1, result: {} }],
  ])("answers %s with nothing", async (_, message) => {
    expect(await new MCPServer(info).handle(message)).toBeNull();
  });

  test.each([[5], [null], [[]], [{}], ["x"]])("refuses %j, which is no message", async (message) => {
    const answer = await new MCPServer(info).handle(message);

    expect(answer).toMatchObject({ error: { code: -32600 } });
    expect(answer).not.toHaveProperty("id");
  });

  test("drops a call whose signal aborts, even if the handler does not care", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => new Promise<string>(() => undefined));
    const controller = new AbortController();

    const answer = modern.ask(server, "tools/call", { name: "t" }, { signal: controller.signal });
    controller.abort();

    expect(await answer).toBeNull();
  });

  test("does not run a call whose signal is aborted already", async () => {
    const server = new MCPServer(info);
    const handler = vi.fn(() => "x");
    server.tool("t", {}, handler);

    expect(await modern.ask(server, "tools/call", { name: "t" }, { signal: AbortSignal.abort() })).toBeNull();
    expect(handler).not.toHaveBeenCalled();
  });

  test("hands notices to the caller", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, async (_, context) => {
      await context.progress(1, 4, "a");
      await context.progress(1);
      await context.progress(0.5);
      await context.progress(2);
      return "x";
    });
    const send = vi.fn();

    await modern.ask(server, "tools/call", { name: "t", _meta: { progressToken: "p" } }, { send });

    expect(send.mock.calls.map(([notice]) => notice.params)).toEqual([
      { progressToken: "p", progress: 1, total: 4, message: "a" },
      { progressToken: "p", progress: 2 },
    ]);
  });

  test("gives handlers what it was given", async () => {
    const server = new MCPServer(info);
    const seen = vi.fn();
    server.tool("t", {}, (_, { transport, auth, context, sessionId, protocolVersion, header }) => {
      seen(transport, auth, context, sessionId, protocolVersion, header);
      return "x";
    });

    const options = {
      transport: "http",
      auth: { a: 1 },
      context: { b: 2 },
      sessionId: "s",
      protocolVersion: "2025-06-18",
    };
    await server.handle({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } }, options);

    expect(seen).toHaveBeenCalledExactlyOnceWith("http", { a: 1 }, { b: 2 }, "s", "2025-06-18", expect.any(Function));
  });

  test("reads headers from an object and from Headers", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, (_, context) => String(context.header("X-Team")));
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "t" } };

    expect(await server.handle(message, { headers: { "X-TEAM": "7" } })).toMatchObject({
      result: { content: [{ text: "7" }] },
    });
    expect(await server.handle(message, { headers: new Headers({ "x-team": "7" }) })).toMatchObject({
      result: { content: [{ text: "7" }] },
    });
  });

  test("keeps callers with equal ids apart", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, async (_, context) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10));
      return String(context.principal);
    });
    const callers = Array.from({ length: 200 }, (_, index) => `caller ${index}`);

    const answers = await Promise.all(
      callers.map((principal) => modern.ask(server, "tools/call", { name: "t" }, { principal })),
    );

    expect(answers.map(({ result }) => result.content[0].text)).toEqual(callers);
  });
});

describe("close", () => {
  function createTransport() {
    let end: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      end = resolve;
    });
    const close = vi.fn(async () => end());
    const transport: ServerTransport<string> = { start: async () => ({ info: "here", closed, close }) };
    return { transport, close, end };
  }

  test("aborts what is being worked on and drops its answer", async () => {
    const server = new MCPServer(info);
    let signal: AbortSignal | undefined;
    server.tool("t", {}, (_, context) => {
      signal = context.signal;
      return new Promise<string>(() => undefined);
    });
    const answer = modern.call(server, "t");

    await server.close();

    expect(signal?.aborted).toBe(true);
    expect(await answer).toBeNull();
  });

  test("lets work end that ends within the drain time", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => new Promise<string>((resolve) => setTimeout(() => resolve("done"), 20)));
    const answer = modern.call(server, "t");

    await server.close({ drain: 1000 });

    expect((await answer).result.content[0].text).toBe("done");
  });

  test("is for good", async () => {
    const server = new MCPServer({ ...info, tools: [] });

    await Promise.all([server.close(), server.close()]);

    expect(server.closed).toBe(true);
    expect((await modern.ask(server, "tools/list")).error.code).toBe(-32603);
    expect(codeOf(() => server.connectPipe({ transport: "memory", write: () => undefined }))).toBe("closed");
    await expect(server.listen(createTransport().transport)).rejects.toMatchObject({ code: "closed" });
  });

  test("closes every transport", async () => {
    const server = new MCPServer(info);
    const one = createTransport();
    const two = createTransport();
    expect(await server.listen(one.transport)).toBe("here");
    await server.listen(two.transport);

    await server.close({ drain: 5 });

    expect(one.close).toHaveBeenCalledExactlyOnceWith({ drain: 5 });
    expect(two.close).toHaveBeenCalledOnce();
  });

  test("happens by itself when the last transport ends, and not before", async () => {
    const server = new MCPServer(info);
    const one = createTransport();
    const two = createTransport();
    await server.listen(one.transport);
    await server.listen(two.transport);

    one.end();
    await Promise.resolve();
    expect(server.closed).toBe(false);
    two.end();
    await vi.waitFor(() => expect(server.closed).toBe(true));
  });
});

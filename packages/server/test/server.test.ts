import { type JsonSchema, MCPServer, MortiseError, type ServerTransport } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { modern } from "./eras.js";

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
  const broken: {
    readonly what: string;
    readonly name?: string;
    readonly input?: JsonSchema;
    readonly handler?: unknown;
    readonly code: string;
  }[] = [
    { what: "without a name", name: "", code: "invalid_options" },
    { what: "without a handler", handler: undefined, code: "invalid_options" },
    { what: "with a schema whose root is no object", input: { type: "string" }, code: "schema_invalid" },
    {
      what: "with a parameter header that breaks the rules",
      input: { type: "object", properties: { a: { type: "number", "x-mcp-header": "A" } } },
      code: "invalid_param_header",
    },
  ];

  test.each(broken)("$what throws and leaves the others served", ({ code, ...tool }) => {
    const server = new MCPServer(info);
    server.tool("good", {}, () => "x");
    const { name, handler, input } = { name: "t", handler: () => "x", ...tool };

    expect(codeOf(() => server.tool(name, input === undefined ? {} : { input }, handler as never))).toBe(code);
    expect(server.getToolDefinitions().map((each) => each.name)).toEqual(["good"]);
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

  test("waits for ever when there is no limit to the drain time", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => new Promise<string>((resolve) => setTimeout(() => resolve("done"), 20)));
    const answer = modern.call(server, "t");

    await server.close({ drain: Number.POSITIVE_INFINITY });

    expect((await answer).result.content[0].text).toBe("done");
  });

  test("is for good", async () => {
    const server = new MCPServer({ ...info, tools: [] });

    await Promise.all([server.close(), server.close()]);

    expect(server.closed).toBe(true);
    expect((await modern.ask(server, "tools/list")).error.code).toBe(-32603);
    const pipe = { transport: "memory", write: () => undefined };
    expect(() => server.connectPipe(pipe)).toThrow(expect.objectContaining({ code: "closed" }));
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

  test("also closes a transport that is just starting", async () => {
    const server = new MCPServer(info);
    const one = createTransport();
    const listening = server.listen(one.transport);

    await server.close();

    await expect(listening).rejects.toMatchObject({ code: "closed" });
    expect(one.close).toHaveBeenCalledOnce();
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

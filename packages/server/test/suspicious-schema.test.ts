import { MCPServer, type ServerTransport, type ToolDefinition } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { describeEras } from "./eras.js";

const UNSAFE = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } } as const;
const LOOP = { type: "object", $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/a" }] } } } as const;
const SAFE = { type: "object", properties: { a: { type: "string", pattern: "^[a-z]+$" } } } as const;

function createServer(onError?: (error: unknown) => void): MCPServer {
  return new MCPServer({ name: "test", version: "1", onError });
}

function createTransport(): { start: ReturnType<typeof vi.fn<ServerTransport<string>["start"]>> } {
  const start = async () => ({
    info: "here",
    closed: new Promise<void>(() => undefined),
    close: async () => undefined,
  });
  return { start: vi.fn(start) };
}

describe("listening with a tool whose schema must not be used", () => {
  test.each([
    ["a pattern of exponential time", { input: UNSAFE }, "unsafe_pattern"],
    ["references that go in circles", { input: LOOP }, "schema_ref"],
    ["such an output", { output: LOOP }, "schema_ref"],
  ])("is refused for %s, and the tool named", async (_what, definition, code) => {
    const server = createServer();
    const transport = createTransport();
    server.tool("bad", definition as ToolDefinition, () => "x");

    await expect(server.listen(transport)).rejects.toMatchObject({
      name: "MortiseError",
      code,
      message: expect.stringContaining('tool "bad"'),
    });
    expect(transport.start).not.toHaveBeenCalled();
  });

  test("works once the tool is gone, or has another schema", async () => {
    const server = createServer();
    server.tool("gone", { input: UNSAFE }, () => "x").remove();
    server.tool("changed", { input: LOOP }, () => "x").update({ input: SAFE });

    expect(await server.listen(createTransport())).toBe("here");
  });
});

describeEras("a tool whose schema must not be used", ({ call, ask }) => {
  test("is told to the server's owner, once", async () => {
    const onError = vi.fn();
    const server = createServer(onError);
    server.tool("bad", { input: UNSAFE }, () => "x");

    await call(server, "bad", { a: "a" });
    await call(server, "bad", { a: "a" });

    expect(onError).toHaveBeenCalledOnce();
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: "unsafe_pattern" }), { name: "bad" });
  });

  test("is told to the owner after a change, too", async () => {
    const onError = vi.fn();
    const server = createServer(onError);
    const tool = server.tool("bad", { input: SAFE }, () => "x");

    tool.update({ input: LOOP });
    await call(server, "bad");

    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: "schema_ref" }), { name: "bad" });
  });

  test("fails every call, without its handler", async () => {
    const handler = vi.fn(() => "x");
    const server = createServer();
    server.tool("bad", { input: UNSAFE }, handler);

    const calls = [await call(server, "bad", { a: `${"a".repeat(50)}!` }), await call(server, "bad", {})];

    expect(calls.map(({ error }) => error.code)).toEqual([-32603, -32603]);
    expect(calls[0]?.error.message).toContain('tool "bad"');
    expect(handler).not.toHaveBeenCalled();
  });

  test("leaves the other tools usable", async () => {
    const server = createServer();
    server.tool("bad", { output: LOOP }, () => ({}));
    server.tool("good", { input: SAFE }, ({ a }) => `got ${a}`);

    expect((await call(server, "bad")).error.code).toBe(-32603);
    expect((await call(server, "good", { a: "x" })).result.content[0].text).toBe("got x");
    expect((await call(server, "good", { a: "X" })).result.isError).toBe(true);
    expect((await ask(server, "tools/list")).result.tools).toHaveLength(2);
  });
});

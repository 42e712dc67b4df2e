import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { modern } from "./eras.js";

const info = { name: "test", version: "1" };

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

  test("gives handlers a context that can be taken apart", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, (_, { progress, log, can, header }) => {
      void progress(1);
      void log("info", "x");
      return `${can("roots")} ${header("a")}`;
    });
    const send = vi.fn();

    const { result } = await modern.ask(server, "tools/call", { name: "t", _meta: { progressToken: 1 } }, { send });

    expect(result.content[0].text).toBe("false undefined");
    expect(send).toHaveBeenCalledOnce();
  });

  test("waits for nothing once a handler has cancelled its own call", async () => {
    const server = new MCPServer(info);
    const controller = new AbortController();
    server.tool("t", {}, () => {
      controller.abort();
      return new Promise<string>(() => undefined);
    });

    expect(await modern.ask(server, "tools/call", { name: "t" }, { signal: controller.signal })).toBeNull();
    expect(server.inside.core.inFlight.size).toBe(0);
  });

  test("holds a message to the envelope when its version is said to be modern", async () => {
    const server = new MCPServer({ ...info, tools: [] });
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };

    expect(await server.handle(message, { protocolVersion: "2026-07-28" })).toMatchObject({ error: { code: -32602 } });
  });

  test("rejects for a protocol version that does not exist", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "ping" };

    const handled = new MCPServer(info).handle(message, { protocolVersion: "1999-01-01" });

    await expect(handled).rejects.toMatchObject({ code: "invalid_options" });
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

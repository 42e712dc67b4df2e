import type { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { createServer, open, settled } from "./pipe-client.js";

describe("log messages", () => {
  const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

  function createLogging(): MCPServer {
    const server = createServer();
    server.tool("log", {}, (_, context) => {
      for (const level of LEVELS) void context.log(level, { at: level });
      return "logged";
    });
    return server;
  }

  test.each([
    [undefined, 0],
    ["warning", 5],
    ["debug", 8],
    ["emergency", 1],
  ])("are sent to a modern client that asked for %s: %i of them", (level, count) => {
    const client = open(createLogging());

    client.modern("tools/call", {
      name: "log",
      _meta: level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level },
    });

    expect(client.received.filter(({ method }) => method === "notifications/message")).toHaveLength(count);
    expect(client.received.at(-1)).toHaveProperty("result");
  });

  test("follow the level of their own request, not of another that runs at the same time", async () => {
    const server = createServer();
    server.tool("log", { input: { type: "object" } }, async (args, context) => {
      for (const level of LEVELS) {
        void context.log(level, args);
        await Promise.resolve();
      }
      return "logged";
    });
    const client = open(server);

    for (const level of ["debug", "error"])
      client.modern("tools/call", {
        name: "log",
        arguments: { of: level },
        _meta: { "io.modelcontextprotocol/logLevel": level },
      });
    await vi.waitFor(() => expect(client.received.filter(({ result }) => result !== undefined)).toHaveLength(2));

    const told = client.received.map(({ params }) => (params as { data?: { of: string } } | undefined)?.data?.of);
    expect(told.filter((of) => of === "debug")).toHaveLength(8);
    expect(told.filter((of) => of === "error")).toHaveLength(4);
  });

  test("are not sent any more once the answer is", async () => {
    const server = createServer();
    server.tool("log", {}, (_, context) => {
      setTimeout(() => void context.log("emergency", "late"), 0);
      return "logged";
    });
    const client = open(server);

    client.modern("tools/call", { name: "log", _meta: { "io.modelcontextprotocol/logLevel": "debug" } });
    await settled();

    expect(client.received).toHaveLength(1);
  });

  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const failing = {
    toJSON(): never {
      throw new Error("no");
    },
  };

  test.each([
    ["a cycle", cycle],
    ["a BigInt", 1n],
    ["an error", new Error("it broke")],
    ["nothing", undefined],
    ["a function", () => "x"],
    ["what throws when it is serialized", failing],
    ["ten megabytes", "x".repeat(10_000_000)],
  ])("may hold %s, and never fail the call", async (_, data) => {
    const server = createServer();
    server.tool("log", {}, (_args, context) => {
      void context.log("info", data);
      return "logged";
    });
    const client = open(server);

    client.modern("tools/call", { name: "log", _meta: { "io.modelcontextprotocol/logLevel": "debug" } });

    expect(client.received).toMatchObject([
      { method: "notifications/message", params: { level: "info", data: expect.anything() } },
      { result: { content: [{ text: "logged" }] } },
    ]);
  });

  test("follow the level a legacy client set", () => {
    const client = open(createLogging());
    client.agree();

    client.request("logging/setLevel", { level: "error" });
    client.request("tools/call", { name: "log" });

    expect(client.received[0]).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(client.received.filter(({ method }) => method === "notifications/message")).toHaveLength(4);
  });

  test("of levels that do not exist are refused", () => {
    const client = open(createLogging());
    client.agree();

    client.request("logging/setLevel", { level: "loud" });

    expect(client.received).toMatchObject([{ error: { code: -32602 } }]);
  });
});

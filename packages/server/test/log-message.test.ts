import type { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { createServer, open } from "./pipe-client.js";

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

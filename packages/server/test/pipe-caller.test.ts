import type { JsonObject } from "@mortise/core";
import { describe, expect, test, vi } from "vitest";
import { modernMeta } from "./eras.js";
import { addHeld, createServer, HANDSHAKE, open } from "./pipe-client.js";

describe("a pipe whose transport knows its client", () => {
  test("tells handlers who is calling", async () => {
    const server = createServer();
    const seen: unknown[] = [];
    server.tool("who", {}, (_, { principal, auth, context, sessionId, header, transport }) => {
      seen.push({ principal, auth, context, sessionId, header: header("X-One"), transport });
      return "";
    });
    const caller = {
      principal: "ann",
      auth: 1,
      context: 2,
      sessionId: "s",
      header: (name: string) => (name === "x-one" ? "1" : undefined),
    };
    const connection = server.connectPipe({ transport: "memory", caller, write: () => undefined });

    connection.receive({ jsonrpc: "2.0", id: 1, method: "initialize", params: HANDSHAKE });
    connection.receive({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "who" } });

    await vi.waitFor(() =>
      expect(seen).toEqual([
        { principal: "ann", auth: 1, context: 2, sessionId: "s", header: "1", transport: "memory" },
      ]),
    );
  });

  test("speaks no versions but those that the transport names", async () => {
    const received: JsonObject[] = [];
    const connection = createServer().connectPipe({
      transport: "memory",
      caller: { versions: ["2025-03-26"] },
      write: (text) => void received.push(JSON.parse(text)),
    });

    connection.receive({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modernMeta() } });
    connection.receive({ jsonrpc: "2.0", id: 2, method: "initialize", params: HANDSHAKE });

    await vi.waitFor(() =>
      expect(received).toMatchObject([
        { id: 1, error: { code: -32022, data: { supported: ["2025-03-26"] } } },
        { id: 2, result: { protocolVersion: "2025-03-26" } },
      ]),
    );
  });
});

describe("a pipe that finishes without a limit", () => {
  test("waits for what is being worked on, with no timer", async () => {
    vi.useFakeTimers();
    const server = createServer();
    const held = addHeld(server);
    const client = open(server);
    client.agree();
    client.request("tools/call", { name: "held" });

    const finished = client.connection.finish({ drain: Number.POSITIVE_INFINITY });
    const timers = vi.getTimerCount();
    vi.useRealTimers();
    held[0]?.release();
    await finished;

    expect(timers).toBe(0);
    expect(client.received).toMatchObject([{ id: 1, result: {} }]);
  });
});

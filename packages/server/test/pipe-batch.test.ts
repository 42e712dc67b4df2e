import type { JsonObject } from "@mortise/core";
import { describe, expect, test } from "vitest";
import { modernMeta } from "./eras.js";
import { addHeld, createServer, HANDSHAKE, open, settled } from "./pipe-client.js";

describe("batches", () => {
  const batch = [
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", method: "notifications/x" },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ];

  test("are answered in one array on the revision that has them", () => {
    const client = open(createServer());
    client.agree("2025-03-26");

    client.connection.receive(batch);

    expect(client.received).toMatchObject([
      [
        { id: 1, result: { tools: [{ name: "echo" }] } },
        { id: 2, result: {} },
      ],
    ]);
  });

  test("wait for their slowest entry, and leave out a cancelled one", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.agree("2025-03-26");
    const held = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "held" } });

    client.connection.receive([held(1), held(2), { jsonrpc: "2.0", id: 3, method: "ping" }, 7]);
    client.notify("notifications/cancelled", { requestId: 1 });
    calls[1]?.release();
    await settled();

    expect(client.received).toHaveLength(1);
    expect(new Set((client.received[0] as unknown as JsonObject[]).map(({ id }) => id))).toEqual(
      new Set([2, 3, undefined]),
    );
  });

  test("of notifications only are not answered", () => {
    const client = open(createServer());
    client.agree("2025-03-26");

    client.connection.receive([batch[1]]);

    expect(client.received).toEqual([]);
  });

  test.each([
    ["on later legacy revisions", "2025-06-18", batch],
    ["on the newest legacy revision", "2025-11-25", batch],
    ["when empty", "2025-03-26", []],
    ["when they hold an opening", "2025-03-26", [{ jsonrpc: "2.0", id: 1, method: "initialize", params: HANDSHAKE }]],
    [
      "when they hold a modern request",
      "2025-03-26",
      [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modernMeta() } }],
    ],
  ])("are refused whole %s", (_, version, messages) => {
    const client = open(createServer());
    client.agree(version);

    client.connection.receive(messages);

    expect(client.received).toMatchObject([{ error: { code: -32600 } }]);
    expect(client.received[0]).not.toHaveProperty("id");
  });

  test("are refused where nothing was agreed", () => {
    const client = open(createServer());

    client.connection.receive(batch);

    expect(client.received).toMatchObject([{ error: { code: -32600 } }]);
  });
});

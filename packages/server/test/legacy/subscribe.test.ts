import { RPC } from "@mortise/core";
import { MCPServer, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { legacy } from "../eras.js";
import { open, type PipeClient, settled } from "../pipe-client.js";

function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", tools: [], prompts: [], ...options });
  server.resource("test://one", {}, () => "one");
  return server;
}

function connect(server: MCPServer, version?: string): PipeClient {
  const client = open(server);
  client.agree(version);
  return client;
}

function updated(uri: string): unknown {
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } };
}

describe("a legacy client on a pipe", () => {
  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "is told of the resources it subscribed to, and of no other (%s)",
    async (version) => {
      const server = createServer();
      const client = connect(server, version);

      client.request("resources/subscribe", { uri: "test://one" }, 1);
      server.notify.resourceUpdated("test://one");
      server.notify.resourceUpdated("test://two");
      await settled();

      expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }, updated("test://one")]);
    },
  );

  test("is not told of a resource that it may not know of, and subscribes to it like to an unknown one", async () => {
    const server = createServer();
    server.resource("test://secret", { visible: () => false }, () => "secret");
    const client = connect(server);
    await settled();

    client.request("resources/subscribe", { uri: "test://secret" }, 1);
    server.notify.resourceUpdated("test://secret");
    await settled();

    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("is told once of several changes in one turn", async () => {
    const server = createServer();
    const client = connect(server);
    client.request("resources/subscribe", { uri: "test://one" });
    client.request("resources/subscribe", { uri: "test://one" });
    client.received.length = 0;

    for (let index = 0; index < 5; index += 1) server.notify.resourceUpdated("test://one");
    await settled();

    expect(client.received).toEqual([updated("test://one")]);
  });

  test("is told no more once it unsubscribed, even of what it never subscribed to", async () => {
    const server = createServer();
    const client = connect(server);
    client.request("resources/subscribe", { uri: "test://one" });
    client.received.length = 0;

    client.request("resources/unsubscribe", { uri: "test://one" }, 1);
    client.request("resources/unsubscribe", { uri: "test://never" }, 2);
    server.notify.resourceUpdated("test://one");
    await settled();

    expect(client.received).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  });

  test("hears nothing of what another client subscribed to", async () => {
    const server = createServer();
    const [one, other] = [connect(server), connect(server)];
    one.request("resources/subscribe", { uri: "test://one" });

    server.notify.resourceUpdated("test://one");
    await settled();

    expect(one.received).toHaveLength(2);
    expect(other.received).toEqual([]);
  });

  test("is told of each list that changed, once for each turn and without a subscription", async () => {
    const server = createServer();
    const client = connect(server);

    server.notify.promptsChanged();
    server.notify.toolsChanged();
    server.notify.toolsChanged();
    server.notify.resourcesChanged();
    await settled();

    expect(client.received).toEqual(
      ["prompts", "tools", "resources"].map((feature) => ({
        jsonrpc: "2.0",
        method: `notifications/${feature}/list_changed`,
      })),
    );
  });

  test("is not told of lists that did not exist when it opened", async () => {
    const server = new MCPServer({ name: "test", version: "1", prompts: [] });
    const client = connect(server);

    server.notify.toolsChanged();
    server.notify.promptsChanged();
    await settled();

    expect(client.received).toMatchObject([{ method: "notifications/prompts/list_changed" }]);
  });

  test("keeps what it watches when it sets the level of log messages", async () => {
    const server = createServer();
    const client = connect(server);
    client.request("resources/subscribe", { uri: "test://one" });
    client.request("logging/setLevel", { level: "error" });
    client.received.length = 0;

    server.notify.resourceUpdated("test://one");
    server.notify.toolsChanged();
    await settled();

    expect(client.received).toHaveLength(2);
  });

  test("leaves nothing behind when its pipe closes", () => {
    const server = createServer();
    const client = connect(server);
    client.request("resources/subscribe", { uri: "test://one" });

    client.connection.close();

    expect(server.inside.core.changes.size).toBe(0);
  });

  test("is sent nothing before it opened", async () => {
    const server = createServer();
    const client = open(server);

    server.notify.toolsChanged();
    await settled();

    expect(client.received).toEqual([]);
    expect(server.inside.core.changes.size).toBe(0);
  });

  test("is told what can be announced to it", () => {
    const client = open(createServer());

    client.request("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "probe", version: "1" },
    });

    expect(client.received[0]?.result).toMatchObject({
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
      },
    });
  });

  test.each([
    ["no address", {}],
    ["an address that is no text", { uri: 1 }],
    ["an address that is too long", { uri: `test://${"x".repeat(5000)}` }],
  ])("is refused a subscription with %s", (_, params) => {
    const client = connect(createServer());

    client.request("resources/subscribe", params);

    expect(client.received).toMatchObject([{ error: { code: RPC.invalidParams } }]);
  });

  test("is refused more than a thousand subscriptions", () => {
    const server = createServer();
    const client = connect(server);

    for (let index = 0; index <= 1000; index += 1) client.request("resources/subscribe", { uri: `test://${index}` });

    expect(client.received.filter(({ error }) => error !== undefined)).toMatchObject([
      { error: { code: RPC.invalidParams } },
    ]);
    expect(client.received.at(-1)?.error).toBeDefined();
  });

  test("that reads slowly is sent each notice once when it has caught up", async () => {
    const server = createServer();
    const written: string[] = [];
    let caughtUp = (): void => undefined;
    let slow = false;
    const { receive } = connectSlow(server, (text) => {
      written.push(text);
      if (!slow) return;
      return new Promise<void>((resolve) => {
        caughtUp = resolve;
      });
    });
    receive({ jsonrpc: "2.0", id: 1, method: "resources/subscribe", params: { uri: "test://one" } });
    written.length = 0;
    slow = true;

    for (let index = 0; index < 1000; index += 1) {
      server.notify.toolsChanged();
      server.notify.resourceUpdated("test://one");
      await Promise.resolve();
    }
    const before = written.length;
    slow = false;
    caughtUp();
    await settled();

    expect(before).toBe(1);
    expect(written.map((text) => JSON.parse(text).method).sort()).toEqual([
      "notifications/resources/updated",
      "notifications/resources/updated",
      "notifications/tools/list_changed",
    ]);
  });
});

describe("where nothing can be delivered", () => {
  test("there are no subscriptions, and none are declared", async () => {
    const server = createServer();

    const subscribed = await legacy.ask(server, "resources/subscribe", { uri: "test://one" });
    const opened = await legacy.ask(server, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "probe", version: "1" },
    });

    expect(subscribed.error).toMatchObject({ code: RPC.methodNotFound });
    expect(opened.result.capabilities).toMatchObject({ tools: {}, prompts: {}, resources: {} });
    expect(JSON.stringify(opened.result.capabilities)).not.toMatch(/listChanged|subscribe/);
  });
});

test("a modern request cannot subscribe the legacy way", () => {
  const client = connect(createServer());

  client.modern("resources/subscribe", { uri: "test://one" });

  expect(client.received).toMatchObject([{ error: { code: RPC.methodNotFound } }]);
});

/** Opens a legacy client whose reader decides when it has room. */
function connectSlow(
  server: MCPServer,
  write: (text: string) => void | Promise<void>,
): { receive(message: unknown): void } {
  const connection = server.connectPipe({ transport: "memory", write });
  connection.receive({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "probe", version: "1" } },
  });
  return { receive: (message) => connection.receive(message) };
}

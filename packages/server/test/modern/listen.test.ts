import { type JsonObject, RPC } from "@mortise/core";
import { MCPServer, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { modern } from "../eras.js";
import { addHeld, open, type PipeClient, settled } from "../pipe-client.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** A server that has something of every feature. */
function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", tools: [], prompts: [], ...options });
  server.inside.core.turnOn("resources"); // TEMP
  return server;
}

function listen(client: PipeClient, notifications: unknown, id: string | number = 1): void {
  client.modern("subscriptions/listen", { notifications }, id);
}

/** Opens a stream and forgets its acknowledgement. */
function startListening(server: MCPServer, notifications: JsonObject, id: string | number = 1): PipeClient {
  const client = open(server);
  listen(client, notifications, id);
  client.received.length = 0;
  return client;
}

function listChanged(feature: string, id: unknown): JsonObject {
  return {
    jsonrpc: "2.0",
    method: `notifications/${feature}/list_changed`,
    params: { _meta: { [SUBSCRIPTION]: id } },
  };
}

function updated(uri: string, id: unknown): JsonObject {
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { _meta: { [SUBSCRIPTION]: id }, uri } };
}

describe("the acknowledgement of a stream of changes", () => {
  test.each([1, 0, "1", "", "listen-é"])("comes first and carries the request's id as it is: %j", async (id) => {
    const client = open(createServer());

    listen(client, { toolsListChanged: true, resourceSubscriptions: ["test://one"] }, id);

    expect(client.received).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: {
          _meta: { [SUBSCRIPTION]: id },
          notifications: { toolsListChanged: true, resourceSubscriptions: ["test://one"] },
        },
      },
    ]);
  });

  test("leaves out what the server has nothing of, what was not asked for, and what it does not know", () => {
    const server = new MCPServer({ name: "test", version: "1", tools: [] });
    const client = open(server);

    listen(client, { ...ALL, resourceSubscriptions: ["test://one"], weatherChanged: true });
    listen(client, { toolsListChanged: false });

    expect(client.received.map(({ params }) => (params as JsonObject).notifications)).toEqual([
      { toolsListChanged: true },
      {},
    ]);
  });

  test("names a resource once that was asked for twice", () => {
    const client = open(createServer());

    listen(client, { resourceSubscriptions: ["test://one", "test://one"] });

    expect(client.received[0]?.params).toMatchObject({ notifications: { resourceSubscriptions: ["test://one"] } });
  });
});

describe("a filter that cannot be read", () => {
  test.each([
    ["no filter", undefined],
    ["text", "tools"],
    ["a list", []],
    ["a flag that is text", { toolsListChanged: "yes" }],
    ["a flag that is null", { promptsListChanged: null }],
    ["addresses that are no list", { resourceSubscriptions: "test://one" }],
    ["an address that is no text", { resourceSubscriptions: ["test://one", 1] }],
    ["an address that is too long", { resourceSubscriptions: [`test://${"x".repeat(5000)}`] }],
    ["too many addresses", { resourceSubscriptions: Array.from({ length: 1001 }, (_, index) => `test://${index}`) }],
  ])("is refused: %s", (_, notifications) => {
    const client = open(createServer());

    listen(client, notifications);

    expect(client.received).toMatchObject([{ id: 1, error: { code: RPC.invalidParams } }]);
    expect(client.connection.pending).toBe(0);
  });
});

describe("a stream of changes", () => {
  test("tells of each list that was asked for, and of no other", async () => {
    const server = createServer();
    const all = startListening(server, ALL, "all");
    const tools = startListening(server, { toolsListChanged: true }, "tools");

    server.notify.toolsChanged();
    server.notify.promptsChanged();
    server.notify.resourcesChanged();
    await settled();

    expect(all.received).toEqual(["tools", "prompts", "resources"].map((feature) => listChanged(feature, "all")));
    expect(tools.received).toEqual([listChanged("tools", "tools")]);
  });

  test("tells of the resources that were asked for, and of no other", async () => {
    const server = createServer();
    const client = startListening(server, { resourceSubscriptions: ["test://one", "test://later"] });

    server.notify.resourceUpdated("test://one");
    server.notify.resourceUpdated("test://two");
    server.notify.resourceUpdated("test://later");
    server.notify.resourcesChanged();
    await settled();

    expect(client.received).toEqual([updated("test://one", 1), updated("test://later", 1)]);
  });

  test("tells once of several changes in one turn", async () => {
    const server = createServer();
    const client = startListening(server, { ...ALL, resourceSubscriptions: ["test://one"] });

    for (let index = 0; index < 5; index += 1) {
      server.tool(`tool-${index}`, {}, () => "");
      server.notify.resourceUpdated("test://one");
    }
    await settled();

    expect(client.received).toHaveLength(2);
    expect(client.received).toEqual(expect.arrayContaining([listChanged("tools", 1), updated("test://one", 1)]));
  });

  test("tells of a change that a handler makes in the turn in which the stream is opened", async () => {
    const server = createServer();
    server.tool("grow", {}, () => {
      server.tool("grown", {}, () => "");
      return "done";
    });
    await settled();
    const client = open(server);

    listen(client, { toolsListChanged: true }, "listen");
    client.modern("tools/call", { name: "grow", arguments: {} }, "call");
    await settled();

    expect(client.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "call",
      "notifications/tools/list_changed",
    ]);
  });

  test("does not tell of changes made before it was asked for", async () => {
    const server = createServer();
    const client = open(server);

    server.tool("early", {}, () => "");
    server.notify.resourceUpdated("test://one");
    listen(client, { ...ALL, resourceSubscriptions: ["test://one"] });
    await settled();

    expect(client.received).toHaveLength(1);
  });

  test("carries neither progress nor log messages of other requests", async () => {
    const server = createServer();
    server.tool("busy", {}, (_, { log, progress }) => {
      void log("error", "trouble");
      void progress(1);
      return "done";
    });
    await settled();
    const client = startListening(server, ALL);
    const other = open(server);

    other.modern("tools/call", { name: "busy", arguments: {}, _meta: { progressToken: 1 } });
    await settled();

    expect(client.received).toEqual([]);
  });

  test("exists several times on one pipe, each with its own id and filter", async () => {
    const server = createServer();
    const client = open(server);
    for (let id = 0; id < 20; id += 1) listen(client, id % 2 === 0 ? { toolsListChanged: true } : ALL, id);
    client.received.length = 0;

    server.notify.promptsChanged();
    await settled();

    expect(client.received).toEqual(Array.from({ length: 10 }, (_, index) => listChanged("prompts", index * 2 + 1)));
  });

  test("keeps streams of different clients apart that have the same id", async () => {
    const server = createServer();
    const first = startListening(server, { toolsListChanged: true }, 1);
    const second = startListening(server, { promptsListChanged: true }, 1);

    first.notify("notifications/cancelled", { requestId: 1 });
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    await settled();

    expect(first.received).toEqual([]);
    expect(second.received).toEqual([listChanged("prompts", 1)]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new RangeError("broken");
      },
    ],
    ["rejects", () => Promise.reject(new RangeError("broken"))],
  ])("does not suffer from another reader whose connection %s", async (_, fail) => {
    const failures: unknown[] = [];
    const server = createServer({ onError: (error) => void failures.push(error) });
    let broken = false;
    const abort = new AbortController();
    const send = (): void | Promise<void> => (broken ? fail() : undefined);
    void modern.ask(server, "subscriptions/listen", { notifications: ALL }, { send, signal: abort.signal });
    await settled();
    const client = startListening(server, { toolsListChanged: true });
    broken = true;

    server.notify.toolsChanged();
    await settled();
    abort.abort();

    expect(client.received).toHaveLength(1);
    expect(failures).toEqual([expect.any(RangeError)]);
  });
});

describe("the end of a stream of changes", () => {
  test("that its client asked for brings no further message", async () => {
    const server = createServer();
    const client = startListening(server, ALL);

    client.notify("notifications/cancelled", { requestId: 1, reason: "enough" });
    server.notify.toolsChanged();
    await settled();

    expect(client.received).toEqual([]);
    expect(client.connection.pending).toBe(0);
    expect(server.inside.core.changes.size).toBe(0);
  });

  test("that the server wants comes with a result which carries the id, after what was due", async () => {
    const server = createServer();
    const client = startListening(server, ALL, "s");

    server.notify.toolsChanged();
    await server.close();

    expect(client.received).toEqual([
      listChanged("tools", "s"),
      {
        jsonrpc: "2.0",
        id: "s",
        result: {
          resultType: "complete",
          _meta: { "io.modelcontextprotocol/serverInfo": expect.anything(), [SUBSCRIPTION]: "s" },
        },
      },
    ]);
    expect(server.inside.core.changes.size).toBe(0);
  });

  test("comes at once when its pipe finishes, while other calls are waited for", async () => {
    const server = createServer();
    const [calls, other] = [addHeld(server), startListening(server, ALL)];
    await settled();
    const client = startListening(server, ALL);
    client.modern("tools/call", { name: "held", arguments: {} }, 2);

    const finished = client.connection.finish();
    await settled();
    const early = client.received.map(({ id }) => id);
    calls[0]?.release();
    await finished;

    expect(early).toEqual([1]);
    expect(client.received.map(({ id }) => id)).toEqual([1, 2]);
    expect(other.connection.pending).toBe(1);
  });

  test("comes with its result where nothing is waited for", async () => {
    const server = createServer();
    const client = startListening(server, ALL);

    await client.connection.finish({ drain: 0 });

    expect(client.received).toMatchObject([{ id: 1, result: { resultType: "complete" } }]);
  });

  test("comes for one that middleware still holds up, too", async () => {
    const server = createServer();
    let go = (): void => undefined;
    server.use(async (_, next) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return next();
    });
    const client = open(server);
    listen(client, ALL);

    const finished = client.connection.finish();
    await settled();
    go();
    await finished;

    expect(client.received.map(({ id, method }) => id ?? method)).toEqual([
      "notifications/subscriptions/acknowledged",
      1,
    ]);
  });

  test("lets middleware unwind when the client cancels", async () => {
    const server = createServer();
    const steps: string[] = [];
    server.use(async (_, next) => {
      try {
        return await next();
      } finally {
        steps.push("unwound");
      }
    });
    const client = startListening(server, ALL);

    client.notify("notifications/cancelled", { requestId: 1 });

    await settled();
    expect(steps).toEqual(["unwound"]);
  });
});

describe("where no notice can be delivered", () => {
  test("there is no such method, and no capability that promises one", async () => {
    const server = createServer();

    const listened = await modern.ask(server, "subscriptions/listen", { notifications: ALL });
    const discovered = await modern.ask(server, "server/discover");

    expect(listened.error).toMatchObject({ code: RPC.methodNotFound });
    expect(discovered.result.capabilities).toMatchObject({ tools: {}, prompts: {}, resources: {} });
    expect(JSON.stringify(discovered.result.capabilities)).not.toMatch(/listChanged|subscribe/);
  });

  test("is not where a message is handled with a way for notices", async () => {
    const server = createServer();
    const notices: unknown[] = [];
    const abort = new AbortController();
    const options = { send: (notice: unknown) => void notices.push(notice), signal: abort.signal };

    const answer = modern.ask(server, "subscriptions/listen", { notifications: ALL }, options);
    await settled();
    server.notify.toolsChanged();
    await settled();
    abort.abort();

    expect(await answer).toBeNull();
    expect(notices).toMatchObject([
      { method: "notifications/subscriptions/acknowledged" },
      { method: "notifications/tools/list_changed" },
    ]);
  });
});

test("a modern client on a pipe is told what can be announced to it", () => {
  const client = open(createServer());

  client.modern("server/discover");

  expect(client.received[0]?.result).toMatchObject({
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    },
  });
});

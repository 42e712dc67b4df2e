import { type JsonObject, RPC } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { modern } from "../eras.js";
import { open, settled } from "../pipe-client.js";
import { ALL, createServer, listen, SUBSCRIPTION } from "./listening.js";

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

import type { HttpHandler } from "@mortise/http";
import { type Bus, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { ask, Events, mount, open, read, send } from "./legacy-peer.js";
import { createBus, createStore } from "./shared-store.js";

const OPTIONS = { sessions: "memory", getStream: true } as const;

function createServer(bus?: Bus): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", bus });
  server.tool("echo", {}, () => "hi");
  server.resource("memo://a", {}, () => "text");
  server.resource("memo://b", {}, () => "text");
  return server;
}

async function listen(handler: HttpHandler, session?: string): Promise<Events> {
  const response = await send(handler, undefined, { session, method: "GET", headers: { accept: "text/event-stream" } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
  return new Events(response);
}

const TOOLS = "notifications/tools/list_changed";
const UPDATED = "notifications/resources/updated";

describe("the stream of a session", () => {
  test("is what capabilities promise", async () => {
    const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "probe", version: "1" } };

    const [withStream, without] = [
      await read(await send(mount(createServer(), OPTIONS), ask("initialize", params))),
      await read(await send(mount(createServer(), { sessions: "memory" }), ask("initialize", params))),
    ];

    expect(withStream.result.capabilities).toMatchObject({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
    });
    expect(without.result.capabilities).toMatchObject({ tools: {}, resources: {} });
    expect(JSON.stringify(without.result.capabilities)).not.toContain("true");
  });

  test("tells of lists that change", async () => {
    const server = createServer();
    const handler = mount(server, OPTIONS);
    const events = await listen(handler, await open(handler));

    server.tool("another", {}, () => "hi");
    server.notify.promptsChanged();

    expect((await events.next())?.method).toBe(TOOLS);
    await events.leave();
  });

  test("tells of the resources that are watched, and of no others", async () => {
    const server = createServer();
    const handler = mount(server, OPTIONS);
    const session = await open(handler);
    await send(handler, ask("resources/subscribe", { uri: "memo://a" }), { session });
    const events = await listen(handler, session);
    await send(handler, ask("resources/subscribe", { uri: "memo://b" }), { session });
    await send(handler, ask("resources/unsubscribe", { uri: "memo://a" }), { session });

    server.notify.resourceUpdated("memo://a");
    server.notify.resourceUpdated("memo://b");

    expect(await events.next()).toMatchObject({ method: UPDATED, params: { uri: "memo://b" } });
    await events.leave();
  });

  test("lets the newest of several have each message, and the others step in", async () => {
    const server = createServer();
    const handler = mount(server, OPTIONS);
    const session = await open(handler);
    const older = await listen(handler, session);
    const newer = await listen(handler, session);

    server.notify.toolsChanged();
    expect((await newer.next())?.method).toBe(TOOLS);
    await newer.leave();
    server.notify.resourcesChanged();

    expect((await older.next())?.method).toBe("notifications/resources/list_changed");
    await older.leave();
  });

  test("makes room for a newer one where there are many", async () => {
    const server = createServer();
    const handler = mount(server, OPTIONS);
    const session = await open(handler);
    const oldest = await listen(handler, session);
    const others = [];
    for (let opened = 1; opened <= 8; opened += 1) others.push(await listen(handler, session));

    expect(await oldest.next()).toBeUndefined();

    server.notify.toolsChanged();
    expect((await others.at(-1)?.next())?.method).toBe(TOOLS);
    await Promise.all(others.map((events) => events.leave()));
  });

  test("ends with the session, which does not end with the stream", async () => {
    const handler = mount(createServer(), OPTIONS);
    const session = await open(handler);
    await (await listen(handler, session)).leave();
    const events = await listen(handler, session);

    await send(handler, undefined, { session, method: "DELETE" });

    expect(await events.next()).toBeUndefined();
  });

  test("ends when the server closes", async () => {
    const server = createServer();
    const handler = mount(server, OPTIONS);
    const events = await listen(handler, await open(handler));

    await server.close();

    expect(await events.next()).toBeUndefined();
  });

  test("needs a session and a reader of event streams", async () => {
    const handler = mount(createServer(), OPTIONS);
    const session = await open(handler);
    const get = async (sending: Parameters<typeof send>[2]) =>
      (await send(handler, undefined, { method: "GET", ...sending })).status;

    expect(await get({})).toBe(400);
    expect(await get({ session: "0".repeat(32) })).toBe(404);
    expect(await get({ session, headers: { accept: "application/json" } })).toBe(406);
    expect(await get({ session, version: "2025-11-25" })).toBe(400);
  });
});

test("a client without a session can listen to lists, too", async () => {
  const server = createServer();
  const handler = mount(server, { getStream: true });
  const events = await listen(handler);

  server.notify.toolsChanged();

  expect((await events.next())?.method).toBe(TOOLS);
  await events.leave();
});

describe("in several processes", () => {
  function createPair() {
    const bus = createBus();
    const sessions = createStore();
    const servers = [createServer(bus), createServer(bus)] as const;
    const [one, other] = servers.map((server) => mount(server, { ...OPTIONS, sessions })) as [HttpHandler, HttpHandler];
    return { servers, one, other };
  }

  test("a session opened in one is known in another", async () => {
    const { one, other } = createPair();
    const session = await open(one, { protocolVersion: "2025-03-26" });

    const listed = await send(other, ask("tools/list"), { session });
    const ended = await send(other, undefined, { session, method: "DELETE" });
    const afterwards = await send(one, ask("tools/list"), { session });

    expect([listed.status, ended.status, afterwards.status]).toEqual([200, 204, 404]);
  });

  test("a stream tells of what happens in another, and is watched for there", async () => {
    const { servers, one, other } = createPair();
    const session = await open(one);
    const events = await listen(one, session);
    await send(other, ask("resources/subscribe", { uri: "memo://a" }), { session });

    servers[1].notify.resourceUpdated("memo://a");

    expect(await events.next()).toMatchObject({ method: UPDATED, params: { uri: "memo://a" } });
    await events.leave();
  });

  test("a message goes to one stream alone, and the other steps in", async () => {
    const { servers, one, other } = createPair();
    const session = await open(one);
    const older = await listen(one, session);
    const newer = await listen(other, session);

    servers[0].notify.toolsChanged();
    expect((await newer.next())?.method).toBe(TOOLS);
    await newer.leave();
    servers[0].notify.resourcesChanged();

    expect((await older.next())?.method).toBe("notifications/resources/list_changed");
    await older.leave();
  });

  test("a session that ends in one ends its stream in the other", async () => {
    const { one, other } = createPair();
    const session = await open(one);
    const events = await listen(one, session);

    await send(other, undefined, { session, method: "DELETE" });

    expect(await events.next()).toBeUndefined();
  });
});

test("a stream does not believe what is no word of another process", async () => {
  const bus = createBus();
  const server = createServer(bus);
  const handler = mount(server, OPTIONS);
  const session = await open(handler);
  const events = await listen(handler, session);

  for (const word of [null, "held", { kind: "held" }, { kind: "send" }, { kind: "send", text: 5, token: "t" }, {}])
    bus.publish(`session/${session}`, word);
  server.notify.toolsChanged();

  expect((await events.next())?.method).toBe(TOOLS);
  await events.leave();
});

describe("a session in a store", () => {
  test("is said to be in use by each request, and while its stream is open", async () => {
    vi.useFakeTimers();
    try {
      const store = createStore();
      const touched: string[] = [];
      store.touch = async (id) => void touched.push(id);
      const handler = mount(createServer(), { sessions: store, getStream: true, idleTimeout: 30_000 });
      const session = await open(handler);

      await send(handler, ask("tools/list"), { session });
      const events = await listen(handler, session);
      expect(touched).toEqual([session, session]);
      await vi.advanceTimersByTimeAsync(10_100);
      expect(touched).toHaveLength(3);

      await events.leave();
      await vi.advanceTimersByTimeAsync(30_000);
      expect(touched).toHaveLength(3);
    } finally {
      vi.useRealTimers();
    }
  });

  test("ends its stream when it is found to be gone", async () => {
    vi.useFakeTimers();
    try {
      const store = createStore();
      const handler = mount(createServer(), { sessions: store, getStream: true, idleTimeout: 30_000 });
      const session = await open(handler);
      const events = await listen(handler, session);

      await store.delete(session);
      await vi.advanceTimersByTimeAsync(10_100);

      expect(await events.next()).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  test("is idle when its stream was left before it was open", async () => {
    const bus = createBus();
    const store = createStore();
    const handler = mount(createServer(bus), { sessions: store, getStream: true });
    const session = await open(handler);
    const controller = new AbortController();

    void send(handler, undefined, { session, method: "GET", signal: controller.signal });
    controller.abort();

    await vi.waitFor(() => {
      const told = bus.published.filter((topic) => topic.startsWith("session/"));
      expect(told).toHaveLength(2); // come and gone
    });
  });

  test("is set again where it cannot be touched", async () => {
    const { touch: _, ...store } = createStore();
    const set = vi.spyOn(store, "set");
    const handler = mount(createServer(), { sessions: store, idleTimeout: 30_000 });
    const session = await open(handler);

    await send(handler, ask("tools/list"), { session });

    const calls = (): unknown[] => set.mock.calls.map(([id, record, ttl]) => [id, record.id, ttl]);
    await vi.waitFor(() =>
      expect(calls()).toEqual([
        [session, session, 30_000],
        [session, session, 30_000],
      ]),
    );
  });

  test("keeps what another request changes meanwhile where it cannot be touched", async () => {
    const { touch: _, ...store } = createStore();
    const { get } = store;
    const handler = mount(createServer(), { sessions: store });
    const session = await open(handler);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    vi.spyOn(store, "get").mockImplementationOnce(async (id) => {
      const found = await get(id);
      await held;
      return found;
    });

    const slow = send(handler, ask("tools/list"), { session });
    await send(handler, ask("logging/setLevel", { level: "error" }), { session });
    answer();
    await slow;

    expect((await get(session))?.logLevel).toBe("error");
  });
});

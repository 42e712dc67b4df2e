import type { HttpHandler, Verifier } from "@mortise/http";
import { type Bus, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { ask, call, Events, INITIALIZE, mount, open, read, send } from "./legacy-peer.js";
import { createBus, createStore } from "./shared-store.js";

const ANYTHING = { type: "object" } as const;
const BY_TOKEN: Verifier = { verify: ({ header }) => ({ principal: header("authorization") ?? "nobody" }) };

interface Fixture {
  readonly server: MCPServer;
  /** Names of calls that began, and of those that were aborted. */
  readonly begun: string[];
  readonly aborted: string[];
}

function createFixture(bus?: Bus): Fixture {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", bus });
  const begun: string[] = [];
  const aborted: string[] = [];
  server.tool("wait", { input: ANYTHING }, async (args, { signal }) => {
    const { name } = args as { name: string };
    begun.push(name);
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    aborted.push(name);
    return "aborted";
  });
  server.tool("later", { input: ANYTHING }, async (args, { progress, log, sessionId }) => {
    const { name, ms } = args as { name: string; ms: number };
    await new Promise((resolve) => setTimeout(resolve, ms));
    await log("info", name);
    await progress(1, 1, name);
    return { name, sessionId };
  });
  return { server, begun, aborted };
}

function cancel(requestId: unknown, reason?: string): object {
  return { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId, reason } };
}

/** Begins a call that only ends when it is aborted. */
async function begin(handler: HttpHandler, { begun }: Fixture, sending: Parameters<typeof send>[2] = {}) {
  const answer = send(handler, call("wait", { name: "a" }), sending);
  await vi.waitFor(() => expect(begun).toEqual(["a"]));
  return { answer };
}

describe("cancelling", () => {
  test("ends the call of the same session, without an answer", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" });
    const session = await open(handler);
    const { answer } = await begin(handler, fixture, { session });

    const cancelled = await send(handler, cancel(1, "enough"), { session });

    expect(cancelled.status).toBe(202);
    expect(await (await answer).text()).toBe("");
    await vi.waitFor(() => expect(fixture.aborted).toEqual(["a"]));
    expect((await send(handler, ask("tools/list"), { session })).status).toBe(200);
  });

  test("ends the stream of a call that has begun one", async () => {
    const { server } = createFixture();
    server.tool("tell", {}, async (_, { log, signal }) => {
      await log("info", "hello");
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const handler = mount(server, { sessions: "memory" });
    const session = await open(handler);
    const events = new Events(await send(handler, call("tell"), { session }));
    expect((await events.next())?.params.data).toBe("hello");

    await send(handler, cancel(1), { session });

    expect(await events.next()).toBeUndefined();
  });

  test.each([
    { title: "another session", as: (other: string) => ({ session: other }) },
    { title: "no session", as: () => ({}) },
  ])("never ends a call for $title", async ({ as }) => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" });
    const session = await open(handler);
    const other = await open(handler);
    await begin(handler, fixture, { session });

    await send(handler, cancel(1), as(other));
    await send(handler, ask("tools/list"), { session });

    expect(fixture.aborted).toEqual([]);
    await fixture.server.close();
  });

  test("never ends a call of another caller, not even over the bus", async () => {
    const bus = createBus();
    const fixture = createFixture(bus);
    const handler = mount(fixture.server, { sessions: "memory" }, { auth: BY_TOKEN });
    const ada = { headers: { authorization: "ada" } };
    const session = await open(handler, {}, ada);
    await begin(handler, fixture, { session, ...ada });

    await send(handler, cancel(1), { session, headers: { authorization: "eve" } });
    bus.publish("cancel", { session, principal: "eve", requestId: 1 });
    bus.publish("cancel", { session, requestId: 1 });
    bus.publish("cancel", "rubbish");

    expect(fixture.aborted).toEqual([]);
    await fixture.server.close();
  });

  test("reaches a call in another process", async () => {
    const bus = createBus();
    const sessions = createStore();
    const [first, second] = [createFixture(bus), createFixture(bus)];
    const [one, other] = [mount(first.server, { sessions }), mount(second.server, { sessions })];
    const session = await open(one);
    const { answer } = await begin(one, first, { session });

    await send(other, cancel(1), { session });

    expect(await (await answer).text()).toBe("");
    await vi.waitFor(() => expect(first.aborted).toEqual(["a"]));
  });

  test("takes one call out of an array", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" });
    const session = await open(handler, { protocolVersion: "2025-03-26" });
    const answer = send(handler, [call("wait", { name: "a" }, 1), call("later", { name: "b", ms: 20 }, 2)], {
      session,
    });
    await vi.waitFor(() => expect(fixture.begun).toEqual(["a"]));

    await send(handler, [cancel(1)], { session });

    const text = await (await answer).text();
    expect(text.match(/"id":\d/g)).toEqual(['"id":2']);
  });

  test("has no effect without sessions", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, {});
    await begin(handler, fixture);

    expect((await send(handler, cancel(1))).status).toBe(202);

    expect(fixture.aborted).toEqual([]);
    await fixture.server.close();
  });
});

describe("leaving", () => {
  test("cancels nothing, and ends no session", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" });
    const session = await open(handler);
    const controller = new AbortController();
    await begin(handler, fixture, { session, signal: controller.signal });

    controller.abort();

    expect((await send(handler, ask("tools/list"), { session })).status).toBe(200);
    expect(fixture.aborted).toEqual([]);
    await send(handler, cancel(1), { session });
    await vi.waitFor(() => expect(fixture.aborted).toEqual(["a"]));
  });

  test("cancels where that is asked for", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" }, { onDisconnect: { legacy: "abort" } });
    const session = await open(handler);
    const controller = new AbortController();
    await begin(handler, fixture, { session, signal: controller.signal });

    controller.abort();

    await vi.waitFor(() => expect(fixture.aborted).toEqual(["a"]));
    expect((await send(handler, ask("tools/list"), { session })).status).toBe(200);
  });
});

test("callers that use the same ids get their own answers and notices", async () => {
  const { server } = createFixture();
  const handler = mount(server, { sessions: "memory" });
  const sessions = await Promise.all(Array.from({ length: 50 }, () => open(handler)));

  const mixed = await Promise.all(
    sessions.map(async (session, index) => {
      const request = {
        ...call("later", { name: `caller ${index}`, ms: (index * 7) % 20 }),
        params: {
          name: "later",
          arguments: { name: `caller ${index}`, ms: (index * 7) % 20 },
          _meta: { progressToken: 1 },
        },
      };
      const events = new Events(await send(handler, request, { session }));
      const [logged, progressed, answered] = [await events.next(), await events.next(), await events.next()];
      return [
        logged?.params.data === `caller ${index}`,
        progressed?.params.message ?? `caller ${index}`,
        answered?.result.structuredContent.name === `caller ${index}`,
        answered?.result.structuredContent.sessionId === session,
      ].every(Boolean);
    }),
  );

  expect(mixed.every(Boolean)).toBe(true);
});

describe("the log level", () => {
  test("is remembered for its session, also in another process", async () => {
    const bus = createBus();
    const sessions = createStore();
    const [one, other] = [createFixture(bus), createFixture(bus)].map(({ server }) => mount(server, { sessions })) as [
      HttpHandler,
      HttpHandler,
    ];
    const session = await open(one);
    const silent = await open(one);

    await read(await send(one, ask("logging/setLevel", { level: "error" }), { session: silent }));
    const [quiet, told] = await Promise.all(
      [silent, session].map(async (id) =>
        (await send(other, call("later", { name: "a", ms: 0 }), { session: id })).text(),
      ),
    );

    expect(quiet).not.toContain("notifications/message");
    expect(told).toContain("notifications/message");
  });

  test("is answered once it is stored", async () => {
    const { server } = createFixture();
    const store = createStore();
    const release: (() => void)[] = [];
    const set = store.set.bind(store);
    const handler = mount(server, { sessions: store });
    const session = await open(handler);
    store.set = async (...args) => {
      await new Promise<void>((resolve) => release.push(resolve));
      await set(...args);
    };
    let answered = false;
    const setting = send(handler, ask("logging/setLevel", { level: "error" }), { session }).then((response) => {
      answered = true;
      return response;
    });
    await vi.waitFor(() => expect(release).toHaveLength(1));

    expect(answered).toBe(false);
    release[0]?.();
    expect((await setting).status).toBe(200);
  });
});

describe("a store that fails", () => {
  test.each(["get", "set"] as const)("in %s is told to the owner, and answered with 500", async (broken) => {
    const errors: unknown[] = [];
    const store = createStore();
    const handler = mount(createFixture().server, { sessions: store }, { onError: (error) => errors.push(error) });
    const session = await open(handler);
    Object.assign(store, { [broken]: () => Promise.reject(new Error("no connection")) });
    const message = broken === "get" ? ask("tools/list") : ask("initialize", INITIALIZE);

    const response = await send(handler, message, { session });

    expect(response.status).toBe(500);
    expect(await response.text()).not.toContain("connection");
    expect(errors).toEqual([new Error("no connection")]);
  });
});

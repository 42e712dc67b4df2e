import type { HandlerOptions, HttpHandler, Verifier } from "@mortise/http";
import { type Bus, MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import {
  ask,
  call,
  Events,
  INITIALIZE,
  type Later,
  later,
  type Message,
  mount,
  open,
  read,
  send,
} from "./legacy-peer.js";
import { createBus, createStore } from "./shared-store.js";

const BY_TOKEN: Verifier = { verify: ({ header }) => ({ principal: header("authorization") ?? "nobody" }) };
const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
/** The key of a server whose processes open each other's tokens. */
const KEYS = [{ id: "a", key: new Uint8Array(32).fill(1) }];

interface Fixture {
  readonly server: MCPServer;
  readonly release: Later<void>;
  readonly outcomes: string[];
}

function createFixture({ bus, askTimeout }: { bus?: Bus; askTimeout?: number } = {}): Fixture {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", bus, askTimeout, state: { keys: KEYS } });
  const release = later();
  const outcomes: string[] = [];
  const greet = async (
    elicit: (question: object) => Promise<{ action: string; content?: unknown }>,
  ): Promise<string> => {
    try {
      const answer = await elicit({ message: "Who?", schema: NAME });
      const outcome =
        answer.action === "accept" ? `Hello, ${(answer.content as { name: string }).name}` : answer.action;
      outcomes.push(outcome);
      return outcome;
    } catch (error) {
      outcomes.push(`failed: ${(error as Error).message}`);
      throw error;
    }
  };
  server.tool("greet", {}, (_, { elicit }) => greet(elicit as never));
  server.tool("able", {}, (_, { can }) => String(can("elicit.form")));
  server.tool("late", {}, async (_, { elicit }) => {
    await release.promise;
    return greet(elicit as never);
  });
  return { server, release, outcomes };
}

function accept(id: Message["id"], name: string): object {
  return { jsonrpc: "2.0", id, result: { action: "accept", content: { name } } };
}

/** Calls a tool that asks, and reads its question. */
async function begin(handler: HttpHandler, sending: Parameters<typeof send>[2], tool = "greet") {
  const response = await send(handler, call(tool), sending);
  const events = new Events(response);
  const question = await events.next();
  return { events, question };
}

/** Ways of being known to a server: with sessions in memory, in a store, and with nothing stored at all. */
const WAYS: readonly { name: string; legacy: () => HandlerOptions["legacy"] }[] = [
  { name: "memory", legacy: () => ({ sessions: "memory" }) },
  { name: "a store", legacy: () => ({ sessions: createStore() }) },
  { name: "a minted id", legacy: () => ({ mintSessionId: true }) },
];

describe.each(WAYS)("with $name", ({ legacy }) => {
  test("a question comes on the stream of its call, before the result", async () => {
    const handler = mount(createFixture().server, legacy());
    const session = await open(handler);
    const { events, question } = await begin(handler, { session });

    const answered = await send(handler, accept(question?.id, "Ada"), { session });

    expect(question).toMatchObject({ method: "elicitation/create", params: { message: "Who?" } });
    expect(question?.id).toMatch(/^[\da-f]{32}$/);
    expect([answered.status, await answered.text()]).toEqual([202, ""]);
    expect(await events.next()).toMatchObject({ id: 1, result: { content: [{ text: "Hello, Ada" }] } });
    expect(await events.next()).toBeUndefined();
  });

  test("an answer counts once", async () => {
    const { server, outcomes } = createFixture();
    const handler = mount(server, legacy());
    const session = await open(handler);
    const { events, question } = await begin(handler, { session });

    const statuses = [
      (await send(handler, accept(question?.id, "Ada"), { session })).status,
      (await send(handler, accept(question?.id, "Eve"), { session })).status,
    ];

    await events.next();
    expect(statuses).toEqual([202, 202]);
    expect(outcomes).toEqual(["Hello, Ada"]);
  });

  test("an answer that is an error reaches the handler", async () => {
    const handler = mount(createFixture().server, legacy());
    const session = await open(handler);
    const { events, question } = await begin(handler, { session });

    await send(handler, { jsonrpc: "2.0", id: question?.id, error: { code: -1, message: "no window" } }, { session });

    expect((await events.next())?.result?.isError ?? (await events.next())?.error).toBeTruthy();
  });

  test("an answer out of another session is let fall", async () => {
    const { server, outcomes } = createFixture();
    const handler = mount(server, legacy());
    const [session, other] = [
      await open(handler),
      await open(handler, { clientInfo: { name: "other", version: "1" } }),
    ];
    const { events, question } = await begin(handler, { session });

    const foreign = await send(handler, accept(question?.id, "Eve"), { session: other });
    await send(handler, accept(question?.id, "Ada"), { session });

    await events.next();
    expect(foreign.status).toBe(202);
    expect(outcomes).toEqual(["Hello, Ada"]);
  });

  test("an answer of another caller is refused", async () => {
    const { server, outcomes } = createFixture();
    const handler = mount(server, legacy(), { auth: BY_TOKEN });
    const ada = { headers: { authorization: "ada" } };
    const session = await open(handler, {}, ada);
    const { events, question } = await begin(handler, { session, ...ada });

    const foreign = await send(handler, accept(question?.id, "Eve"), { session, headers: { authorization: "eve" } });
    await send(handler, accept(question?.id, "Ada"), { session, ...ada });

    await events.next();
    expect(foreign.status).toBe(404);
    expect(outcomes).toEqual(["Hello, Ada"]);
  });

  test("nobody is asked what they did not declare", async () => {
    const handler = mount(createFixture().server, legacy());
    const [able, unable] = [await open(handler), await open(handler, { capabilities: {} as never })];

    const answers = await Promise.all(
      [able, unable].map(
        async (session) => (await read(await send(handler, call("able"), { session }))).result.content[0].text,
      ),
    );

    expect(answers).toEqual(["true", "false"]);
  });

  test("a question that nobody answers in time is taken back", async () => {
    const { server, outcomes } = createFixture({ askTimeout: 30 });
    const handler = mount(server, legacy());
    const session = await open(handler);
    const { events, question } = await begin(handler, { session });

    expect(await events.next()).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question?.id },
    });
    expect(await events.next()).toMatchObject({ id: 1 });
    expect(outcomes).toEqual([expect.stringContaining("failed")]);
  });

  test("cancelling the call ends its question", async () => {
    const { server, outcomes } = createFixture();
    const handler = mount(server, legacy());
    const session = await open(handler);
    const { events } = await begin(handler, { session });

    await send(handler, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { session });

    expect((await events.next())?.method).toBe("notifications/cancelled");
    expect(await events.next()).toBeUndefined();
    await vi.waitFor(() => expect(outcomes).toEqual([expect.stringContaining("failed")]));
  });
});

describe("an answer", () => {
  test("may come in an array where the revision has them", async () => {
    const server = createFixture().server;
    server.tool("draft", {}, async (_, { sample }) => {
      const { content } = await sample({
        messages: [{ role: "user", content: { type: "text", text: "Draft" } }],
        maxTokens: 5,
      });
      return JSON.stringify(content);
    });
    const handler = mount(server, { sessions: "memory" });
    const session = await open(handler, { protocolVersion: "2025-03-26" });
    const { events, question } = await begin(handler, { session }, "draft");
    const result = { role: "assistant", model: "m", content: { type: "text", text: "drafted" } };

    const answered = await send(handler, [{ jsonrpc: "2.0", id: question?.id, result }], { session });

    expect(answered.status).toBe(202);
    expect(JSON.stringify(await events.next())).toContain("drafted");
  });

  test.each([
    { title: "a shared store", legacy: (sessions: ReturnType<typeof createStore>) => ({ sessions }) },
    { title: "a minted id", legacy: () => ({ mintSessionId: true }) },
  ])("may reach another process, with $title, and is published once", async ({ legacy }) => {
    const bus = createBus();
    const store = createStore();
    const [first, second] = [createFixture({ bus }), createFixture({ bus })];
    const [one, other] = [mount(first.server, legacy(store)), mount(second.server, legacy(store))];
    const session = await open(one);
    const { events, question } = await begin(other, { session });

    const answered = await send(one, accept(question?.id, "Ada"), { session });

    expect(answered.status).toBe(202);
    expect(await events.next()).toMatchObject({ result: { content: [{ text: "Hello, Ada" }] } });
    expect(bus.published.filter((topic) => topic === "answers")).toHaveLength(1);
  });

  test("that comes over the bus for another session or caller, or is none, is let fall", async () => {
    const bus = createBus();
    const { server, outcomes } = createFixture({ bus });
    const handler = mount(server, { sessions: "memory" });
    const session = await open(handler);
    const { events, question } = await begin(handler, { session });

    bus.publish("answers", { session: "other", response: accept(question?.id, "Eve") });
    bus.publish("answers", { session, principal: "eve", response: accept(question?.id, "Eve") });
    bus.publish("answers", { session, response: { id: question?.id, result: { action: "decline" } } });
    bus.publish("answers", null);
    await send(handler, accept(question?.id, "Ada"), { session });

    await events.next();
    expect(outcomes).toEqual(["Hello, Ada"]);
  });
});

describe("a caller that has left", () => {
  async function leaveAndAsk(fixture: Fixture, handler: HttpHandler, session: string): Promise<void> {
    const controller = new AbortController();
    void send(handler, call("late"), { session, signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve, 10));
    controller.abort();
    fixture.release.resolve();
  }

  test("is asked on the stream of its session", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory", getStream: true });
    const session = await open(handler);
    const events = new Events(await send(handler, undefined, { session, method: "GET" }));
    await leaveAndAsk(fixture, handler, session);

    const question = await events.next();
    await send(handler, accept(question?.id, "Ada"), { session });

    await vi.waitFor(() => expect(fixture.outcomes).toEqual(["Hello, Ada"]));
    await events.leave();
  });

  test("is asked on a stream of its session in another process", async () => {
    const bus = createBus();
    const sessions = createStore();
    const [first, second] = [createFixture({ bus }), createFixture({ bus })];
    const options = { sessions, getStream: true };
    const [one, other] = [mount(first.server, options), mount(second.server, options)];
    const session = await open(one);
    const events = new Events(await send(other, undefined, { session, method: "GET" }));
    await leaveAndAsk(first, one, session);

    const question = await events.next();
    await send(other, accept(question?.id, "Ada"), { session });

    await vi.waitFor(() => expect(first.outcomes).toEqual(["Hello, Ada"]));
    await events.leave();
  });

  test("cannot be asked without one", async () => {
    const fixture = createFixture();
    const handler = mount(fixture.server, { sessions: "memory" });
    const session = await open(handler);

    await leaveAndAsk(fixture, handler, session);

    await vi.waitFor(() => expect(fixture.outcomes).toEqual([expect.stringContaining("failed")]));
  });
});

describe("nobody is asked", () => {
  test.each([
    { title: "without a session", legacy: { getStream: true }, opened: false, accepted: "*/*" },
    { title: "who reads no event streams", legacy: { sessions: "memory" }, opened: true, accepted: "application/json" },
  ] as const)("$title", async ({ legacy, opened, accepted }) => {
    const handler = mount(createFixture().server, legacy);
    const sending = { headers: { accept: accepted }, session: opened ? await open(handler) : undefined };

    const { result } = await read(await send(handler, call("able"), sending));

    expect(result.content[0].text).toBe("false");
  });
});

describe("a minted id", () => {
  test("stands for what was agreed, in every process with the same keys", async () => {
    const [one, other] = [createFixture(), createFixture()].map(({ server }) =>
      mount(server, { mintSessionId: true }),
    ) as [HttpHandler, HttpHandler];
    const session = await open(one, { protocolVersion: "2025-11-25" });

    const { events, question } = await begin(other, { session });
    await send(other, accept(question?.id, "Ada"), { session });

    expect(session).toMatch(/^[\x21-\x7e]+$/);
    expect(await events.next()).toMatchObject({ id: 1, result: { content: [{ text: "Hello, Ada" }] } });
    expect((await send(other, ask("tools/list"), { session, version: "2025-06-18" })).status).toBe(400);
  });

  test("cannot be ended, and is not needed", async () => {
    const handler = mount(createFixture().server, { mintSessionId: true });
    const session = await open(handler);

    const ended = await send(handler, undefined, { session, method: "DELETE" });

    expect([ended.status, ended.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect((await send(handler, ask("tools/list"), { session })).status).toBe(200);
    expect((await send(handler, ask("tools/list"))).status).toBe(200);
  });

  test("is unknown when it was made up, changed or made elsewhere", async () => {
    const handler = mount(createFixture().server, { mintSessionId: true });
    const stranger = new MCPServer({
      name: "other",
      version: "1.0.0",
      state: { keys: [{ id: "a", key: new Uint8Array(32).fill(2) }] },
    });
    const session = await open(handler);
    const foreign = await open(mount(stranger, { mintSessionId: true }));

    const statuses = ["abc", `${session.slice(0, -2)}AA`, foreign].map(
      async (id) => (await send(handler, ask("tools/list"), { session: id })).status,
    );

    expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
  });

  test("belongs to the caller it was made for, and expires", async () => {
    const handler = mount(createFixture().server, { mintSessionId: true, idleTimeout: 50 }, { auth: BY_TOKEN });
    const session = await open(handler, {}, { headers: { authorization: "ada" } });
    const status = async (authorization: string) =>
      (await send(handler, ask("tools/list"), { session, headers: { authorization } })).status;

    expect([await status("ada"), await status("eve")]).toEqual([200, 404]);
    await vi.waitFor(async () => expect(await status("ada")).toBe(404));
  });

  test("stays short, however much a client says about itself", async () => {
    const handler = mount(createFixture().server, { mintSessionId: true });
    const clientInfo = {
      name: "n".repeat(5_000),
      version: "1",
      icons: [{ src: `data:image/png;base64,${"A".repeat(20_000)}` }],
    };

    const response = await send(handler, ask("initialize", { ...INITIALIZE, clientInfo }));

    expect(response.headers.get("mcp-session-id")?.length).toBeLessThan(1_000);
  });
});

import type { HttpHandler } from "@mortise/http";
import { afterEach, describe, expect, test, vi } from "vitest";
import { MemoryEventStore } from "../src/legacy/event-store.js";
import { call, later, open, send } from "./legacy-peer.js";
import { create, type Fixture, NEWEST, OLDER, progressing, Reading, resume } from "./resumption-peer.js";
import { createBus, createStore } from "./shared-store.js";

const OPTIONS = { sessions: "memory", resumable: true, getStream: true } as const;
const TOOLS = { method: "notifications/tools/list_changed" };
const PROMPTS = { method: "notifications/prompts/list_changed" };

async function listen(handler: HttpHandler, session: string): Promise<Reading> {
  const response = await send(handler, undefined, { session, method: "GET", headers: { accept: "text/event-stream" } });
  expect(response.status).toBe(200);
  return new Reading(response);
}

/** Two processes that share what they can, and nothing else. */
function createTwo(): readonly [Fixture, Fixture] {
  const [bus, sessions, resumable] = [createBus(), createStore(), new MemoryEventStore()];
  const options = { sessions, resumable, getStream: true };
  return [create(options, {}, bus), create(options, {}, bus)];
}

function prompts({ server }: Fixture): void {
  server.prompt("first", {}, () => "hi");
}

describe("the stream of a session", () => {
  afterEach(() => void vi.useRealTimers());

  test("begins with an event that tells nothing but its id", async () => {
    const fixture = create(OPTIONS);
    const session = await open(fixture.handler, NEWEST);
    const reading = await listen(fixture.handler, session);

    const first = await reading.next();
    fixture.server.tool("another", {}, () => "");

    expect(first).toEqual({ id: expect.stringMatching(/^[!-~]+$/), data: "" });
    expect(await reading.message()).toMatchObject(TOOLS);
    await reading.leave();
  });

  test("has ids alone on revisions that know no empty events", async () => {
    const fixture = create(OPTIONS);
    const session = await open(fixture.handler, OLDER);
    const reading = await listen(fixture.handler, session);

    fixture.server.tool("another", {}, () => "");
    const first = await reading.next();

    expect(first?.id).toBeDefined();
    expect(JSON.parse(first?.data ?? "")).toMatchObject(TOOLS);
    await reading.leave();
  });

  test("keeps what comes while its client is away", async () => {
    const fixture = create(OPTIONS);
    prompts(fixture);
    const session = await open(fixture.handler, NEWEST);
    const first = await listen(fixture.handler, session);
    await first.next();
    await first.leave();
    fixture.server.tool("another", {}, () => "");
    await Promise.resolve();

    const second = new Reading(await resume(fixture.handler, session, first.last));
    const missed = await second.message();
    fixture.server.notify.promptsChanged();

    expect(missed).toMatchObject(TOOLS);
    expect(await second.message()).toMatchObject(PROMPTS);
    await second.leave();
  });

  test("keeps nothing any more when its client stays away for long", async () => {
    vi.useFakeTimers();
    const fixture = create(OPTIONS, { keepAlive: "off" });
    const session = await open(fixture.handler, NEWEST);
    const first = await listen(fixture.handler, session);
    await first.next();
    await first.leave();

    await vi.advanceTimersByTimeAsync(60_000);

    expect(fixture.server.inside.core.changes.size).toBe(2); // what every handler with sessions listens to
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is one of several, of which the newest with a client gets what comes", async () => {
    const fixture = create(OPTIONS);
    prompts(fixture);
    const session = await open(fixture.handler, NEWEST);
    const first = await listen(fixture.handler, session);
    const second = await listen(fixture.handler, session);
    await Promise.all([first.next(), second.next()]);

    fixture.server.tool("another", {}, () => "");
    const newest = await second.message();
    await second.leave();
    fixture.server.notify.promptsChanged();
    const older = await first.message();

    expect([newest, older]).toMatchObject([TOOLS, PROMPTS]);
    await first.leave();
  });

  test("leaves what another stream took to that one", async () => {
    const fixture = create(OPTIONS);
    prompts(fixture);
    const session = await open(fixture.handler, NEWEST);
    const first = await listen(fixture.handler, session);
    const second = await listen(fixture.handler, session);
    await Promise.all([first.next(), second.next()]);
    await second.leave();
    fixture.server.tool("another", {}, () => "");
    await first.message();

    const third = new Reading(await resume(fixture.handler, session, second.last));
    fixture.server.notify.promptsChanged();

    expect(await third.message()).toMatchObject(PROMPTS);
    await Promise.all([first.leave(), third.leave()]);
  });

  test("comes on one connection alone: the one that asked last", async () => {
    const fixture = create(OPTIONS);
    const session = await open(fixture.handler, NEWEST);
    const first = await listen(fixture.handler, session);
    await first.next();

    const second = new Reading(await resume(fixture.handler, session, first.last));
    fixture.server.tool("another", {}, () => "");

    expect(await first.messages()).toEqual([]);
    expect(await second.message()).toMatchObject(TOOLS);
    await second.leave();
  });

  test("carries no message of the stream of a call, nor the reverse", async () => {
    const fixture = create(OPTIONS);
    const session = await open(fixture.handler, NEWEST);
    const own = await listen(fixture.handler, session);
    await own.next();
    const answer = new Reading(await send(fixture.handler, progressing("hold"), { session }));
    await answer.next();
    await answer.message();
    await Promise.all([own.leave(), answer.leave()]);
    fixture.server.tool("another", {}, () => "");
    fixture.release();
    await new Promise((resolve) => setTimeout(resolve, 10));

    const resumedAnswer = await new Reading(await resume(fixture.handler, session, answer.last)).messages();
    const resumedOwn = new Reading(await resume(fixture.handler, session, own.last));

    expect(resumedAnswer).toMatchObject([{ params: { progress: 2 } }, { id: 1, result: {} }]);
    expect(await resumedOwn.message()).toMatchObject(TOOLS);
    await resumedOwn.leave();
  });

  test("ends with its session, and with the server", async () => {
    const fixture = create(OPTIONS);
    const sessions = [await open(fixture.handler, NEWEST), await open(fixture.handler, NEWEST)] as const;
    const [deleted, closed] = [await listen(fixture.handler, sessions[0]), await listen(fixture.handler, sessions[1])];

    await send(fixture.handler, undefined, { session: sessions[0], method: "DELETE" });
    const first = await deleted.rest();
    await fixture.server.close();

    expect([...first, ...(await closed.rest())].map(({ data }) => data)).toEqual(["", ""]);
    expect(fixture.server.inside.core.changes.size).toBe(0);
  });

  test("ends with its session also while its client is away", async () => {
    const fixture = create(OPTIONS);
    const session = await open(fixture.handler, NEWEST);
    const reading = await listen(fixture.handler, session);
    await reading.next();
    await reading.leave();

    await send(fixture.handler, undefined, { session, method: "DELETE" });

    expect(fixture.server.inside.core.changes.size).toBe(2); // what every handler with sessions listens to
  });
});

describe("streams in several processes that share stores and a bus", () => {
  test("go on at another process than the one that works on the call", async () => {
    const [one, two] = createTwo();
    const session = await open(one.handler, NEWEST);
    const first = new Reading(await send(one.handler, progressing("hold"), { session }));
    await first.next();
    await first.message();

    const second = new Reading(await resume(two.handler, session, first.last));
    const ended = await first.messages();
    one.release();
    const messages = await second.messages();

    expect(ended).toEqual([]);
    expect(messages).toMatchObject([{ params: { progress: 2 } }, { id: 1, result: { content: [{ text: "held" }] } }]);
    expect(two.ran.count).toBe(0);
  });

  test("lose nothing where a client hops between them, and the store and the bus take their time", async () => {
    const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    const [bus, sessions, events] = [createBus(), createStore(), new MemoryEventStore()];
    const options = {
      sessions,
      resumable: {
        append: (stream: string, data: string) => wait().then(() => events.append(stream, data)),
        after: (id: string) => wait().then(() => events.after(id)),
      },
    };
    const slow = { ...bus, publish: (topic: string, data: unknown) => wait().then(() => bus.publish(topic, data)) };
    const fixtures = [create(options, { keepAlive: 20 }, slow), create(options, { keepAlive: 20 }, slow)] as const;
    fixtures[0].server.tool("many", {}, async (_, { progress }) => {
      for (let step = 1; step <= 40; step += 1) await progress(step);
      return "many";
    });
    const session = await open(fixtures[0].handler, NEWEST);
    const seen: unknown[] = [];
    let reading = new Reading(await send(fixtures[0].handler, progressing("many"), { session }));
    for (let round = 1; ; round += 1) {
      const message = await reading.message();
      if (message === undefined) break;
      seen.push(message.params?.progress ?? message.id);
      if (round % 3 !== 0) continue;
      const { last } = reading;
      if (round % 2 === 0) await reading.leave();
      reading = new Reading(await resume(fixtures[round % 4 < 2 ? 0 : 1].handler, session, last));
      reading.last = last;
    }

    expect(seen).toEqual([...Array.from({ length: 40 }, (_, index) => index + 1), 1]);
  });

  test("are closed by the handler wherever they are read", async () => {
    const [one, two] = createTwo();
    const go = later();
    one.server.tool("poll", {}, async (_, { closeStream }) => {
      await go.promise;
      closeStream({ retry: 9 });
      return await new Promise<string>(() => undefined);
    });
    const session = await open(one.handler, NEWEST);
    const first = new Reading(await send(one.handler, call("poll"), { session }));
    await first.next();
    await first.leave();

    const second = new Reading(await resume(two.handler, session, first.last));
    go.resolve();

    expect(await second.rest()).toEqual([{ id: first.last, data: "" }, { retry: 9 }]);
    await one.server.close();
  });

  test("of a session move from one process to another with what came in between", async () => {
    const [one, two] = createTwo();
    const session = await open(one.handler, NEWEST);
    const first = await listen(one.handler, session);
    await first.next();
    await first.leave();
    one.server.tool("another", {}, () => "");
    await Promise.resolve();

    const second = new Reading(await resume(two.handler, session, first.last));
    const missed = await second.message();
    two.server.tool("another", {}, () => "");

    expect(missed).toMatchObject(TOOLS);
    expect(await second.message()).toMatchObject(TOOLS);
    await second.leave();
  });
});

test("modern streams have no ids, whatever legacy ones have", async () => {
  const { handler, release } = create(OPTIONS);
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    progressToken: 1,
  };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "pause" };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "pause", arguments: {}, _meta } };

  const pending = send(handler, message, { headers });
  release();
  const events = await new Reading(await pending).rest();

  expect(events).toHaveLength(2);
  for (const event of events) expect([event.id, event.retry]).toEqual([undefined, undefined]);
});

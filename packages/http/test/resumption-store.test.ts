import type { EventStore } from "@mortise/http";
import { describe, expect, test, vi } from "vitest";
import { MemoryEventStore } from "../src/legacy/event-store.js";
import { createPolicy } from "../src/policy.js";
import { type Message, open, send } from "./legacy-peer.js";
import { create, NEWEST, OPTIONS, progressing, Reading, resume } from "./resumption-peer.js";

describe("asking for the rest of a stream", () => {
  test.each(["1", "x.1", `${"0".repeat(32)}.${"0".repeat(32)}.1`, " "])("is refused for the id %j", async (id) => {
    const { handler } = create();
    const session = await open(handler, NEWEST);

    const response = await resume(handler, session, id);

    expect([response.status, (await response.json()).error.code]).toEqual(id === " " ? [405, -32600] : [400, -32600]);
  });

  test("does not trouble the store with what can be no id", async () => {
    const after = vi.fn();
    const { handler } = create({ sessions: "memory", resumable: { append: () => "a", after } });
    const session = await open(handler, NEWEST);

    const responses = [await resume(handler, session, "a b"), await resume(handler, session, "a".repeat(2_000))];

    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect(after).not.toHaveBeenCalled();
  });

  test("is refused in another session, with and without a principal", async () => {
    const verify = ({ header }: { header(name: string): string | undefined }) =>
      Promise.resolve({ principal: header("x-user") ?? "", auth: 1 });
    const { handler } = create(OPTIONS, { auth: { verify } });
    const ann = { headers: { "x-user": "ann" } };
    const bob = { headers: { "x-user": "bob" } };
    const [own, other, foreign] = [
      await open(handler, NEWEST, ann),
      await open(handler, NEWEST, ann),
      await open(handler, NEWEST, bob),
    ];
    const first = new Reading(await send(handler, progressing("hold"), { session: own, ...ann }));
    await first.next();

    const responses = await Promise.all([
      resume(handler, other, first.last, ann),
      resume(handler, foreign, first.last, bob),
      resume(handler, own, first.last, bob),
    ]);

    expect(responses.map(({ status }) => status)).toEqual([400, 400, 404]);
    await first.leave();
  });

  test("is told apart from asking for what is no longer kept", async () => {
    const events = new MemoryEventStore({ maxAge: 1 });
    const { handler, release } = create({ sessions: "memory", resumable: events });
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    const { last } = first;
    release();
    await first.rest();
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect((await resume(handler, session, last)).status).toBe(410);
  });

  test("gives what is left where a stream was too much to be kept", async () => {
    const events = new MemoryEventStore({ maxEvents: 3 });
    const { server, handler } = create({ sessions: "memory", resumable: events });
    server.tool("many", {}, async (_, { progress }) => {
      for (let step = 1; step <= 50; step += 1) await progress(step);
      return "many";
    });
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("many"), { session }));
    await first.next();
    const { last } = first;
    await first.rest();

    const messages = await new Reading(await resume(handler, session, last)).messages();

    expect(messages).toMatchObject([{ params: { progress: 50 } }, { id: 1 }]);
  });

  test("is all that GET is for where sessions have no stream of their own", async () => {
    const { handler } = create();
    const session = await open(handler, NEWEST);

    const response = await send(handler, undefined, { session, method: "GET" });

    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, DELETE, OPTIONS"]);
  });

  test("is not known where streams are not resumable", async () => {
    const { handler } = create({ sessions: "memory" });
    const session = await open(handler, NEWEST);

    expect((await resume(handler, session, "1")).status).toBe(405);
  });
});

test("a session that ends takes its events with it", async () => {
  const events = new MemoryEventStore();
  const forget = vi.spyOn(events, "forget");
  const { handler, release } = create({ sessions: "memory", resumable: events });
  const session = await open(handler, NEWEST);
  const reading = new Reading(await send(handler, progressing("hold"), { session }));
  release();
  await reading.rest();
  const kept = events.after(reading.last);

  await send(handler, undefined, { session, method: "DELETE" });

  expect(kept).toBeDefined();
  expect(forget).toHaveBeenCalledWith(reading.last.split(".")[0]);
  expect(events.after(reading.last)).toBeUndefined();
});

describe("a store that answers later", () => {
  function delay(store: EventStore): EventStore {
    const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.random() * 4));
    return {
      append: (stream, data) => wait().then(() => store.append(stream, data)),
      after: (id) => wait().then(() => store.after(id)),
    };
  }

  test("keeps the order of events, and loses none between what was kept and what comes", async () => {
    const { server, handler } = create({ sessions: "memory", resumable: delay(new MemoryEventStore()) });
    server.tool("many", {}, async (_, { progress }) => {
      for (let step = 1; step <= 30; step += 1) {
        await progress(step);
        if (step % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return "many";
    });
    const session = await open(handler, NEWEST);
    const seen: unknown[] = [];
    let reading = new Reading(await send(handler, progressing("many"), { session }));
    for (let round = 0; ; round += 1) {
      const event = await reading.next();
      if (event === undefined) break;
      if (event.data !== "") seen.push(JSON.parse(event.data ?? ""));
      if (round % 5 !== 4) continue;
      const { last } = reading;
      if (round % 2 === 0) await reading.leave();
      reading = new Reading(await resume(handler, session, last));
      reading.last = last;
    }

    expect(seen).toHaveLength(31);
    expect(seen.slice(0, 30).map((message) => (message as Message).params.progress)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    expect(seen[30]).toMatchObject({ id: 1, result: {} });
  });

  test("may fail: the client here gets everything, and the owner hears of it", async () => {
    const onError = vi.fn();
    const append = vi.fn(() => Promise.reject(new Error("full")));
    const { handler, release } = create(
      { sessions: "memory", resumable: { append, after: () => undefined } },
      { onError },
    );
    const session = await open(handler, NEWEST);
    const reading = new Reading(await send(handler, progressing("hold"), { session }));
    release();
    const events = await reading.rest();

    expect(events.map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
    expect(events.at(-1)?.data).toContain("held");
    expect(onError).toHaveBeenCalledWith(new Error("full"));
  });

  test("may fail when it is asked, which is a failure of this end", async () => {
    const onError = vi.fn();
    const failing: EventStore = { append: () => "a", after: () => Promise.reject(new Error("gone")) };
    const { handler } = create({ sessions: "memory", resumable: failing }, { onError });
    const session = await open(handler, NEWEST);

    expect((await resume(handler, session, "a")).status).toBe(500);
    expect(onError).toHaveBeenCalledWith(new Error("gone"));
  });
});

test.each([
  { resumable: true },
  { resumable: 1, sessions: "memory" },
  { resumable: { append: () => "" }, sessions: "memory" },
])("options that cannot be served are refused: %j", (legacy) => {
  expect(() => createPolicy({ legacy: legacy as never })).toThrowError(
    expect.objectContaining({ code: "invalid_options" }),
  );
});

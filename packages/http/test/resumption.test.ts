import { describe, expect, test } from "vitest";
import { call, later, open, send } from "./legacy-peer.js";
import { create, NEWEST, OLDER, OPTIONS, progressing, Reading, resume } from "./resumption-peer.js";

describe("the answer to a call, in a session whose streams are resumable", () => {
  test("begins with an event that tells nothing but its id, and gives every event one", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);

    const response = await send(handler, progressing("hold"), { session });
    release();
    const events = await new Reading(response).rest();

    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(events[0]).toEqual({ id: expect.stringMatching(/^[!-~]+$/), data: "" });
    expect(new Set(events.map(({ id }) => id)).size).toBe(4);
    expect(JSON.parse(events[3]?.data ?? "")).toMatchObject({ id: 1, result: { content: [{ text: "held" }] } });
  });

  test("is JSON without ids where the handler answers at once", async () => {
    const { handler } = create();
    const session = await open(handler, NEWEST);

    const response = await send(handler, call("quick"), { session });

    expect(response.headers.get("content-type")).toBe("application/json");
    await response.text();
  });

  test("begins with no empty event on revisions that do not know one", async () => {
    const { handler, release } = create();
    const session = await open(handler, OLDER);

    const reading = new Reading(await send(handler, progressing("hold"), { session }));
    release();
    const events = await reading.rest();

    expect(events).toHaveLength(3);
    for (const { id, data } of events) expect([typeof id, data === ""]).toEqual(["string", false]);
  });

  test("tells nothing of its session", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);
    const reading = new Reading(await send(handler, progressing("hold"), { session }));
    release();

    for (const { id } of await reading.rest()) expect(id).not.toContain(session);
  });

  test("tells again where to go on when its client comes back", async () => {
    const { handler } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    await first.message();
    await first.leave();

    const second = new Reading(await resume(handler, session, first.last));

    expect(await second.next()).toEqual({ id: first.last, data: "" });
    await second.leave();
  });

  test("goes on behind the last event that arrived when its client comes back", async () => {
    const { handler, release, ran } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    const progress = await first.message();
    await first.leave();

    const response = await resume(handler, session, first.last);
    const second = new Reading(response);
    release();
    const messages = await second.messages();

    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(progress).toMatchObject({ params: { progress: 1 } });
    expect(messages).toMatchObject([{ params: { progress: 2 } }, { id: 1, result: {} }]);
    expect(ran.count).toBe(1);
  });

  test("waits for a client that comes back when everything is over", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    await first.message();
    await first.leave();
    release();
    await new Promise((resolve) => setTimeout(resolve, 10));

    const { last } = first;
    const messages = await new Reading(await resume(handler, session, last)).messages();
    const again = await new Reading(await resume(handler, session, last)).messages();

    expect(messages).toHaveLength(2);
    expect(again).toEqual(messages);
  });

  test("has nothing more for a client that has everything", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    release();
    await first.rest();

    const response = await resume(handler, session, first.last);

    expect(response.status).toBe(200);
    expect(await new Reading(response).messages()).toEqual([]);
  });

  test("closes its connection when the handler says so, with the time to come back after", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);

    const first = new Reading(await send(handler, progressing("pause"), { session }));
    const before = await first.rest();
    const second = new Reading(await resume(handler, session, first.last));
    release();

    expect(before).toEqual([{ id: expect.any(String), data: "" }, { retry: 20 }]);
    expect(await second.message()).toMatchObject({ params: { progress: 1 } });
    expect(await second.message()).toMatchObject({ id: 1, result: { content: [{ text: "paused" }] } });
    expect(await second.next()).toBeUndefined();
  });

  test("closes a connection that its client came back on as well", async () => {
    const { server, handler } = create();
    const steps = [later(), later()];
    server.tool("poll", {}, async (_, { closeStream }) => {
      for (const { promise } of steps) {
        closeStream({ retry: 5 });
        await promise;
      }
      return "polled";
    });
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, call("poll"), { session }));
    await first.rest();

    const second = new Reading(await resume(handler, session, first.last));
    steps[0]?.resolve();
    const between = await second.rest();
    steps[1]?.resolve();
    const last = new Reading(await resume(handler, session, first.last));

    expect(between).toEqual([{ id: first.last, data: "" }, { retry: 5 }]);
    expect(await last.message()).toMatchObject({ result: { content: [{ text: "polled" }] } });
  });

  test("keeps its connection where the client would not know where to go on", async () => {
    const { handler, release } = create();
    const session = await open(handler, OLDER);

    const pending = send(handler, call("pause"), { session });
    release();
    const text = await (await pending).text();

    expect(text).toContain("paused");
    expect(text).not.toContain("retry:");
  });

  test("comes on one connection alone: the one that asked last", async () => {
    const { handler, release } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    await first.message();

    const second = new Reading(await resume(handler, session, first.last));
    const third = new Reading(await resume(handler, session, first.last));
    const ended = [await first.messages(), await second.messages()];
    release();

    expect(ended).toEqual([[], []]);
    expect(await third.messages()).toHaveLength(2);
  });

  test("ends without a response where the client cancels", async () => {
    const { handler } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    await first.message();
    await first.leave();
    const second = new Reading(await resume(handler, session, first.last));

    await send(handler, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }, { session });

    expect(await second.messages()).toEqual([]);
    expect(await new Reading(await resume(handler, session, first.last)).messages()).toEqual([]);
  });

  test("ends with its session, and cannot be asked for any more", async () => {
    const { handler } = create();
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, progressing("hold"), { session }));
    await first.next();
    await first.leave();
    const second = new Reading(await resume(handler, session, first.last));

    await send(handler, undefined, { session, method: "DELETE" });

    expect((await second.messages()).filter(({ id }) => id !== undefined)).toEqual([]);
    expect((await resume(handler, session, first.last)).status).toBe(404);
  });

  test("carries questions to a client that comes back", async () => {
    const { server, handler } = create();
    const lost = later();
    server.tool("ask", {}, async (_, { elicit, closeStream }) => {
      closeStream();
      await lost.promise;
      const answer = await elicit({
        message: "Who?",
        schema: { type: "object", properties: { name: { type: "string" } } },
      });
      return answer.action;
    });
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, call("ask"), { session }));
    await first.rest();
    lost.resolve();

    const second = new Reading(await resume(handler, session, first.last));
    const question = await second.message();
    await send(handler, { jsonrpc: "2.0", id: question?.id, result: { action: "decline" } }, { session });

    expect(question).toMatchObject({ method: "elicitation/create" });
    expect(await second.message()).toMatchObject({ id: 1, result: { content: [{ text: "decline" }] } });
  });

  test("is aborted where leaving aborts, but not by its own closing", async () => {
    const { server, handler } = create(OPTIONS, { onDisconnect: { legacy: "abort" } });
    const signals: AbortSignal[] = [];
    const end = later();
    server.tool("watch", {}, async (_, { signal, closeStream, requestId }) => {
      signals.push(signal);
      if (requestId === 2) closeStream();
      await end.promise;
      return "";
    });
    const session = await open(handler, NEWEST);
    const first = new Reading(await send(handler, call("watch", {}, 1), { session }));
    await first.next();
    await first.leave();
    await new Reading(await send(handler, call("watch", {}, 2), { session })).rest();

    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    end.resolve();
  });
});

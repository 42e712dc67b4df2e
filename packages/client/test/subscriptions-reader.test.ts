import type { SubscriptionFilter } from "@mortise/client";
import type { JsonRpcNotification } from "@mortise/core";
import { describe, expect, test, vi } from "vitest";
import { createBackoff } from "../src/subscriptions/try-again.js";
import { startFake } from "./fake-http.js";
import { type OpenStream, serveListening, tagged, toolsChanged, updated } from "./listening-server.js";
import { collectProblems, openClient } from "./open-client.js";

const BOTH = { toolsListChanged: true, resourceSubscriptions: ["docs://a", "docs://b", "docs://c"] } as const;

async function subscribe(
  options: Parameters<ReturnType<typeof openClient>["subscribe"]>[1] = {},
  filter: SubscriptionFilter = BOTH,
) {
  const streams: OpenStream[] = [];
  const { problems, onError } = collectProblems();
  const arrived = vi.fn();
  const fake = await startFake(serveListening(streams));
  const client = openClient({ url: fake.url, onError, onNotification: arrived });
  const changes = await client.subscribe(filter, options);
  const [stream] = streams;
  if (stream === undefined) throw new TypeError("Expected a stream");
  // The acknowledgement has been heard.
  const send = async (...messages: object[]): Promise<void> => {
    const before = arrived.mock.calls.length;
    stream.send(...messages);
    await vi.waitFor(() => expect(arrived.mock.calls.length).toBe(before + messages.length));
  };
  return { changes, stream, send, arrived, problems, client };
}

const about = ({ method, params }: JsonRpcNotification): string => String(params?.uri ?? method);

describe("whoever reads a subscription", () => {
  test("finds equal changes once, in the order in which they came first", async () => {
    const { changes, stream, send } = await subscribe();
    const { id } = stream;

    await send(
      updated(id, "docs://b"),
      toolsChanged(id),
      updated(id, "docs://a"),
      updated(id, "docs://b"),
      toolsChanged(id),
    );
    await changes.close();
    const seen: string[] = [];
    for await (const change of changes) seen.push(about(change));

    expect(seen).toEqual(["docs://b", "notifications/tools/list_changed", "docs://a"]);
  });

  test("finds changes of an extension once where they say the same", async () => {
    const { changes, stream, send } = await subscribe({}, { jobIds: ["1"] });
    const job = (state: string): object => tagged(stream.id, "notifications/jobs", { state });

    await send(job("done"), job("begun"), job("done"));
    await changes.close();
    const seen: unknown[] = [];
    for await (const { params } of changes) seen.push(params?.state);

    expect(seen).toEqual(["done", "begun"]);
  });

  test("finds a change of an extension that is nested too deeply to be told apart", async () => {
    const { changes, stream, send, arrived } = await subscribe({}, { jobIds: ["1"] });
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const text = JSON.stringify(tagged(stream.id, "notifications/jobs", { job: "here" }));

    stream.response.write(`data: ${text.replace('"here"', nested)}\n\n`);
    await vi.waitFor(() => expect(arrived).toHaveBeenCalledTimes(2));
    await send(tagged(stream.id, "notifications/jobs", { job: "there" }));
    await changes.close();
    let seen = 0;
    for await (const { method } of changes) seen += method === "notifications/jobs" ? 1 : 0;

    expect(seen).toBe(2);
  });

  test("finds a change again that came after it was read", async () => {
    const { changes, stream, send } = await subscribe();
    const reader = changes[Symbol.asyncIterator]();

    await send(toolsChanged(stream.id));
    await reader.next();
    await send(toolsChanged(stream.id));

    expect(await reader.next()).toMatchObject({ done: false });
  });

  test("loses the oldest changes when there are too many, which is reported once", async () => {
    const { changes, stream, send, problems } = await subscribe({ maxPending: 1 });
    const { id } = stream;

    await send(updated(id, "docs://a"), updated(id, "docs://b"), updated(id, "docs://c"));
    await changes.close();
    const seen: string[] = [];
    for await (const change of changes) seen.push(about(change));

    expect(seen).toEqual(["docs://c"]);
    expect(problems).toHaveLength(1);
  });

  test("ends the subscription by leaving the loop", async () => {
    const { changes, stream } = await subscribe();

    stream.send(toolsChanged(stream.id));
    for await (const _ of changes) break;

    expect(await changes.closed).toEqual({ reason: "closed" });
    await vi.waitFor(() => expect(stream.isClosed()).toBe(true));
  });

  test("is kept nothing for where there is a callback, which may throw", async () => {
    const onChange = vi.fn(() => {
      throw new Error("no");
    });
    const { changes, stream, send, problems } = await subscribe({ onChange });

    await send(toolsChanged(stream.id), toolsChanged(stream.id));
    await changes.close();

    expect(onChange).toHaveBeenCalledTimes(2);
    expect(problems.map(({ message }) => message)).toEqual(["no", "no"]);
    expect(await changes[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test("may wait several times at once", async () => {
    const { changes, stream } = await subscribe();
    const reader = changes[Symbol.asyncIterator]();
    const [first, second, third] = [reader.next(), reader.next(), reader.next()];

    stream.send(updated(stream.id, "docs://a"), updated(stream.id, "docs://b"));

    expect([await first, await second].map(({ value }) => about(value as JsonRpcNotification))).toEqual([
      "docs://a",
      "docs://b",
    ]);
    await changes.close();
    expect(await third).toEqual({ done: true, value: undefined });
  });
});

describe("the wait before a stream is asked for again", () => {
  const lost = new Error("lost");

  test("is short at first, grows to half a minute, and is never the same", () => {
    const backoff = createBackoff();

    const waits = Array.from({ length: 12 }, () => backoff.next(lost));

    waits.forEach((wait, at) => {
      const longest = Math.min(250 * 2 ** at, 30_000);
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
    });
    expect(new Set(waits.slice(8)).size).toBe(4);
  });

  test("is short again after a stream that lived long, and not after one that did not", () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(0);
    const backoff = createBackoff();
    for (let attempt = 0; attempt < 8; attempt += 1) backoff.next(lost);

    backoff.begin();
    now.mockReturnValue(9_000);
    backoff.end();
    const afterShort = backoff.next(lost);
    backoff.begin();
    now.mockReturnValue(20_000);
    backoff.end();
    const afterLong = backoff.next(lost);
    now.mockRestore();

    expect(afterShort).toBeGreaterThan(10_000);
    expect(afterLong).toBeLessThanOrEqual(250);
  });

  test.each([
    ["2", 2_000],
    ["86400", 300_000],
    ["soon", 0],
  ])("is as long as the server says (%s), up to five minutes", (retryAfter, expected) => {
    const busy = new Error("busy", { cause: { status: 503, retryAfter } });

    const wait = createBackoff().next(busy);

    expect(wait).toBeGreaterThanOrEqual(expected);
    expect(wait).toBeLessThanOrEqual(expected + 250);
  });
});

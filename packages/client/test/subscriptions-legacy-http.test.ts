import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { type FakeServer, type Reply, startFake } from "./fake-http.js";
import { initializeResult, type LegacyScript, serveLegacy } from "./legacy-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { count, event, openStream } from "./stream-reply.js";

const TOOLS = { toolsListChanged: true } as const;
const CHANGED = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
const SUBSCRIBE = "resources/subscribe";
const UNSUBSCRIBE = "resources/unsubscribe";
const CAPABILITIES = { tools: { listChanged: true }, resources: { subscribe: true } };

interface Watched {
  readonly fake: FakeServer;
  /** The streams that were opened, in order. */
  readonly streams: ServerResponse[];
  /** Sessions that the server has forgotten. */
  readonly gone: Set<string | undefined>;
}

/** A legacy server that hands out sessions s1, s2, … and has streams. */
async function startWatched(overrides: LegacyScript["overrides"] = {}): Promise<Watched> {
  const streams: ServerResponse[] = [];
  const gone = new Set<string | undefined>();
  let sessions = 0;
  const done = (reply: Reply): void => reply.result({});
  const serve = serveLegacy({
    overrides: {
      initialize(reply) {
        sessions += 1;
        const result = { ...initializeResult(), capabilities: CAPABILITIES };
        reply.result(result, { "mcp-session-id": `s${sessions}` });
      },
      GET: ({ response }) => void streams.push(openStream(response)),
      [SUBSCRIBE]: done,
      [UNSUBSCRIBE]: done,
      ...overrides,
    },
  });
  const fake = await startFake((reply) => {
    const session = reply.request.headers["mcp-session-id"];
    if (gone.has(session as string | undefined)) reply.status(404, "gone");
    else serve(reply);
  });
  return { fake, streams, gone };
}

const sent = ({ log }: FakeServer, ...methods: string[]): string[] =>
  log
    .filter(({ message }) => methods.includes(message.method ?? ""))
    .map(({ message, headers }) => `${headers["mcp-session-id"]} ${message.method} ${message.params?.uri}`);

describe("a subscription to a legacy server over HTTP", () => {
  test("opens the stream of the session, shares it, and closes it with the last", async () => {
    const { fake, streams } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.connect();
    const before = count(fake.methods(), "GET");
    const onHangUp = vi.fn();
    const onChange = vi.fn();

    const first = await client.subscribe(TOOLS, { onChange });
    const second = await client.subscribe(TOOLS, { onChange });
    streams[0]?.on("close", onHangUp);
    streams[0]?.write(event(CHANGED));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
    await first.close();
    streams[0]?.write(event(CHANGED));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(3));
    const whileOneIsLeft = onHangUp.mock.calls.length;
    await second.close();

    await vi.waitFor(() => expect(onHangUp).toHaveBeenCalled());
    expect([before, whileOneIsLeft, streams.length]).toEqual([0, 0, 1]);
  });

  test("leaves the stream open that somebody else listens on", async () => {
    const { fake, streams } = await startWatched();
    const onNotification = vi.fn();
    const client = openClient({ url: fake.url, era: "legacy", onNotification });
    const changes = await client.subscribe(TOOLS);

    await changes.close();
    streams[0]?.write(event(CHANGED));

    await vi.waitFor(() => expect(onNotification).toHaveBeenCalledTimes(1));
    expect(streams).toHaveLength(1);
  });

  test("can be had again on a new stream", async () => {
    const { fake, streams } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    await (await client.subscribe(TOOLS)).close();

    const changes = await client.subscribe(TOOLS);
    streams[1]?.write(event(CHANGED));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: CHANGED });
  });

  test("does not wait long for a server that begins its stream with the first event", async () => {
    const streams: ServerResponse[] = [];
    const { fake } = await startWatched({ GET: ({ response }) => void streams.push(response) });
    const client = openClient({ url: fake.url, era: "legacy" });

    const changes = await client.subscribe(TOOLS);
    for (const response of streams) openStream(response).write(event(CHANGED));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: CHANGED });
  });

  const refusals: [string, (reply: Reply) => void, object][] = [
    ["has no stream", (reply) => reply.status(405), { code: "not_offered" }],
    [
      "has a page there",
      (reply) => reply.status(200, "<html>", { "content-type": "text/html" }),
      { code: "not_offered" },
    ],
    ["is busy", (reply) => reply.status(503), { code: "http_status" }],
    ["wants a login", (reply) => reply.status(401), { code: "unauthorized" }],
  ];

  test.each(refusals)("rejects when the server %s, and takes back what it asked for", async (_, refuse, expected) => {
    const { fake } = await startWatched({ GET: refuse });
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.subscribe({ ...TOOLS, resourceSubscriptions: ["docs://a"] }));

    expect(error).toMatchObject(expected);
    await vi.waitFor(() => expect(count(fake.methods(), UNSUBSCRIBE)).toBe(1));
    expect(count(fake.methods(), "GET")).toBe(1);
    expect((await client.callTool("echo", { text: "hi" })).text).toBe("hi");
  });

  test("is lost with the stream, and told of it and of the next one", async () => {
    const { fake, streams } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    const told: string[] = [];
    const changes = await client.subscribe(TOOLS, {
      onLost: () => told.push("lost"),
      onRestored: () => told.push("restored"),
    });

    streams[0]?.end();
    await vi.waitFor(() => expect(told).toEqual(["lost", "restored"]), { timeout: 4_000 });
    streams[1]?.write(event(CHANGED));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: CHANGED });
  });

  test("is not lost when the stream goes on behind its last event", async () => {
    const { fake, streams } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    const onLost = vi.fn();
    const changes = await client.subscribe(TOOLS, { onLost });

    streams[0]?.end("id: e1\nretry: 20\ndata:\n\n");
    await vi.waitFor(() => expect(streams).toHaveLength(2));
    streams[1]?.write(`id: e2\n${event(CHANGED)}`);

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: CHANGED });
    expect(fake.log.findLast(({ method }) => method === "GET")?.headers["last-event-id"]).toBe("e1");
    expect(onLost).not.toHaveBeenCalled();
  });

  test("is lost when the server does not know its last event any more", async () => {
    let refused = false;
    const { fake, streams } = await startWatched({
      GET: ({ request, response, status }) => {
        if (request.headers["last-event-id"] === undefined) streams.push(openStream(response));
        else {
          refused = true;
          status(410);
        }
      },
    });
    const client = openClient({ url: fake.url, era: "legacy" });
    const [onLost, onRestored] = [vi.fn(), vi.fn()];
    await client.subscribe(TOOLS, { onLost, onRestored });

    streams[0]?.end("id: e1\nretry: 20\ndata:\n\n");

    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 4_000 });
    expect(refused).toBe(true);
    expect(onLost).toHaveBeenCalledTimes(1);
  });

  test("leaves a busy server alone for as long as it asks before the stream is asked for again", async () => {
    const at: number[] = [];
    const { fake, streams } = await startWatched({
      GET: ({ response, status }) => {
        at.push(performance.now());
        if (at.length === 2) status(429, "", { "retry-after": "2" });
        else streams.push(openStream(response));
      },
    });
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.subscribe(TOOLS);

    streams[0]?.end("retry: 20\ndata:\n\n");

    await vi.waitFor(() => expect(streams).toHaveLength(2), { timeout: 5_000 });
    const [, second = 0, third = 0] = at;
    expect(third - second).toBeGreaterThanOrEqual(1_990);
  });

  test("ends when the server takes its stream away", async () => {
    let has = true;
    const { fake, streams } = await startWatched({
      GET: ({ response, status }) => {
        if (has) streams.push(openStream(response));
        else status(405);
      },
    });
    const client = openClient({ url: fake.url, era: "legacy" });
    const changes = await client.subscribe(TOOLS);

    has = false;
    streams[0]?.end("retry: 20\ndata:\n\n");

    expect(await changes.closed).toMatchObject({ reason: "failed", error: { code: "not_offered" } });
  });
});

describe("a session that is renewed", () => {
  test("is told again what is subscribed to, whoever found out that the old one is gone", async () => {
    const { fake, streams, gone } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    const [onChange, onLost, onRestored] = [vi.fn(), vi.fn(), vi.fn()];
    const filter = { ...TOOLS, resourceSubscriptions: ["docs://a", "docs://b"] };
    await client.subscribe(filter, { onChange, onLost, onRestored });
    await client.subscribe({ resourceSubscriptions: ["docs://a"] });

    gone.add("s1");
    await client.callTool("echo", { text: "hi" });
    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1));
    streams.at(-1)?.write(event(CHANGED));

    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(sent(fake, SUBSCRIBE)).toEqual([
      "s1 resources/subscribe docs://a",
      "s1 resources/subscribe docs://b",
      "s2 resources/subscribe docs://a",
      "s2 resources/subscribe docs://b",
    ]);
  });

  test("by its stream goes on as well", async () => {
    const { fake, streams, gone } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    const onRestored = vi.fn();
    const changes = await client.subscribe({ resourceSubscriptions: ["docs://a"] }, { onRestored });

    gone.add("s1");
    streams[0]?.end("retry: 20\ndata:\n\n");
    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 4_000 });
    await changes.close();

    expect(sent(fake, SUBSCRIBE, UNSUBSCRIBE)).toEqual([
      "s1 resources/subscribe docs://a",
      "s2 resources/subscribe docs://a",
      "s2 resources/unsubscribe docs://a",
    ]);
  });

  test("is tried again when the renewal fails, until there is a session", async () => {
    let opens = 0;
    const { problems, onError } = collectProblems();
    const { fake, streams, gone } = await startWatched({
      initialize(reply) {
        opens += 1;
        const result = { ...initializeResult(), capabilities: CAPABILITIES };
        if (opens === 2 || opens === 3) reply.status(503);
        else reply.result(result, { "mcp-session-id": `s${opens}` });
      },
    });
    const client = openClient({ url: fake.url, era: "legacy", onError });
    const [onLost, onRestored] = [vi.fn(), vi.fn()];
    const changes = await client.subscribe({ ...TOOLS, resourceSubscriptions: ["docs://a"] }, { onLost, onRestored });

    gone.add("s1");
    streams[0]?.end("retry: 20\ndata:\n\n");
    await vi.waitFor(() => expect(onRestored).toHaveBeenCalledTimes(1), { timeout: 6_000 });
    streams.at(-1)?.write(event(CHANGED));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: CHANGED });
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(sent(fake, SUBSCRIBE)).toEqual(["s1 resources/subscribe docs://a", "s4 resources/subscribe docs://a"]);
    expect(problems.length).toBeGreaterThan(0);
  });

  test("is ended by DELETE when the client closes, and nothing is unsubscribed before", async () => {
    const { fake } = await startWatched();
    const client = openClient({ url: fake.url, era: "legacy" });
    const changes = await client.subscribe({ resourceSubscriptions: ["docs://a"] });

    await client.close();

    expect(await changes.closed).toEqual({ reason: "client_closed" });
    expect(fake.methods().at(-1)).toBe("DELETE");
    expect(fake.methods()).not.toContain(UNSUBSCRIBE);
  });
});

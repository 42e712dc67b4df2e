import { MortiseError } from "@mortise/core";
import { describe, expect, test, vi } from "vitest";
import type { Watching } from "../src/era.js";
import { listen } from "../src/modern/listen.js";
import { startFake } from "./fake-http.js";
import {
  acknowledge,
  farewell,
  LISTEN,
  type OpenStream,
  openListening,
  serveListening,
  tagged,
  toolsChanged,
  updated,
} from "./listening-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { count } from "./stream-reply.js";

const TOOLS = { toolsListChanged: true } as const;
const method = (name: string): unknown => expect.objectContaining({ method: name });

describe("a subscription to a modern server over HTTP", () => {
  test("asks for what the filter says and nothing else, and hears it", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);

    const changes = await client.subscribe({
      ...TOOLS,
      promptsListChanged: false,
      resourceSubscriptions: ["docs://a", "docs://a"],
    });
    streams[0]?.send(toolsChanged(streams[0].id));
    const { value } = await changes[Symbol.asyncIterator]().next();

    const listen = fake.log.find(({ message }) => message.method === LISTEN);
    expect(listen?.message.params?.notifications).toEqual({ ...TOOLS, resourceSubscriptions: ["docs://a"] });
    expect(listen?.headers).toMatchObject({ "mcp-method": LISTEN, accept: "application/json, text/event-stream" });
    expect(fake.log.some(({ method }) => method === "GET")).toBe(false);
    expect(value).toMatchObject({ method: "notifications/tools/list_changed" });
  });

  test("tells what the server agreed to, which may be less", async () => {
    const fake = await startFake(
      serveListening([], {
        [LISTEN]: (reply) => {
          const stream = openListening(reply);
          stream.send(acknowledge(stream.id, { toolsListChanged: true, resourceSubscriptions: ["docs://b"] }));
        },
      }),
    );
    const client = openClient(fake.url);

    const { honored } = await client.subscribe({
      ...TOOLS,
      promptsListChanged: true,
      resourceSubscriptions: ["docs://a", "docs://b"],
      jobIds: ["1"],
    });

    expect(honored).toEqual({ ...TOOLS, resourceSubscriptions: ["docs://b"] });
  });

  test("leaves out changes that nobody asked for", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const onChange = vi.fn();
    await client.subscribe({ resourceSubscriptions: ["docs://a"] }, { onChange });

    streams[0]?.send(
      toolsChanged(streams[0].id),
      tagged(streams[0].id, "notifications/jobs"),
      updated(streams[0].id, "docs://ab"),
      updated(streams[0].id, "docs://a/part"),
      updated(streams[0].id, "docs://a"),
    );

    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2));
    expect(onChange.mock.calls.map(([{ params }]) => params.uri)).toEqual(["docs://a/part", "docs://a"]);
  });

  test("gives what an extension tells when it was asked for", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const onChange = vi.fn();
    const { honored } = await client.subscribe({ jobIds: ["1"] }, { onChange });

    streams[0]?.send(tagged(streams[0].id, "notifications/jobs", { about: "1" }));

    await vi.waitFor(() => expect(onChange).toHaveBeenCalledWith(method("notifications/jobs")));
    expect(honored).toEqual({ jobIds: ["1"] });
  });

  test("drops and reports what comes before the acknowledgement", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(
      serveListening([], {
        [LISTEN]: (reply) => {
          const stream = openListening(reply);
          stream.send(toolsChanged(stream.id), acknowledge(stream.id, TOOLS), updated(stream.id, "x"));
        },
      }),
    );
    const client = openClient({ url: fake.url, onError });
    const onChange = vi.fn();

    await client.subscribe(TOOLS, { onChange });

    expect(problems).toEqual([expect.objectContaining({ code: "invalid_response" })]);
    expect(onChange).not.toHaveBeenCalled();
  });

  test("misses nothing that comes together with the acknowledgement", async () => {
    const fake = await startFake(
      serveListening([], {
        [LISTEN]: (reply) => {
          const stream = openListening(reply);
          stream.send(acknowledge(stream.id, TOOLS), toolsChanged(stream.id), farewell(stream.id));
        },
      }),
    );
    const client = openClient(fake.url);

    const changes = await client.subscribe(TOOLS);
    const seen: string[] = [];
    for await (const change of changes) seen.push(change.method);

    expect(seen).toEqual(["notifications/tools/list_changed"]);
    expect(await changes.closed).toEqual({ reason: "server_ended" });
  });

  test("rejects when the acknowledgement does not come in time, and hangs up", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(
      serveListening(streams, { [LISTEN]: (reply) => void streams.push(openListening(reply)) }),
    );
    const client = openClient({ url: fake.url });

    const error = await failureOf(client.subscribe(TOOLS, { timeout: 50 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 50 });
    await vi.waitFor(() => expect(streams[0]?.isClosed()).toBe(true));
  });

  test("is not limited by the timeout once it is acknowledged", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient({ url: fake.url, timeout: 150 });
    const changes = await client.subscribe(TOOLS);

    await new Promise((resolve) => setTimeout(resolve, 250));
    streams[0]?.send(toolsChanged(streams[0].id));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
    expect(streams).toHaveLength(1);
  });

  const refusals: [string, Parameters<typeof serveListening>[1], object][] = [
    [
      "does not know the method",
      { [LISTEN]: (reply) => reply.error(-32601, "no", { status: 404 }) },
      { code: "not_offered" },
    ],
    ["refuses the filter", { [LISTEN]: (reply) => reply.error(-32602, "no", { status: 400 }) }, { code: -32602 }],
    ["wants a login", { [LISTEN]: (reply) => reply.status(401) }, { code: "unauthorized" }],
    ["is busy", { [LISTEN]: (reply) => reply.status(503) }, { code: "http_status" }],
    ["ends it at once", { [LISTEN]: (reply) => reply.result({}) }, { code: "invalid_response" }],
    ["breaks off", { [LISTEN]: (reply) => void openListening(reply).response.end() }, { code: "stream_ended" }],
    [
      "acknowledges nothing",
      {
        [LISTEN]: (reply) => {
          const stream = openListening(reply);
          stream.send(acknowledge(stream.id, {}));
        },
      },
      { code: "not_offered" },
    ],
    [
      "does not say what it acknowledges",
      {
        [LISTEN]: (reply) => {
          const stream = openListening(reply);
          stream.send(acknowledge(stream.id, undefined));
        },
      },
      { code: "invalid_response" },
    ],
  ];

  test.each(refusals)("rejects when the server %s, and asks once", async (_, overrides, expected) => {
    const fake = await startFake(serveListening([], overrides));
    const client = openClient(fake.url);

    const error = await failureOf(client.subscribe(TOOLS));

    expect(error).toMatchObject(expected);
    expect(count(fake.methods(), LISTEN)).toBe(1);
  });

  test("is closed on the wire by closing its stream, once", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const changes = await client.subscribe(TOOLS);

    await Promise.all([changes.close(), changes.close()]);
    await changes.close();

    await vi.waitFor(() => expect(streams[0]?.isClosed()).toBe(true));
    expect(await changes.closed).toEqual({ reason: "closed" });
    expect(fake.methods()).not.toContain("notifications/cancelled");
    expect(count(fake.methods(), LISTEN)).toBe(1);
  });

  test("ends when its signal aborts before the acknowledgement", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(
      serveListening(streams, { [LISTEN]: (reply) => void streams.push(openListening(reply)) }),
    );
    const client = openClient(fake.url);
    const stop = new AbortController();
    const subscribing = failureOf(client.subscribe(TOOLS, { signal: stop.signal }));
    await vi.waitFor(() => expect(streams).toHaveLength(1));

    stop.abort();

    expect(await subscribing).toMatchObject({ code: "aborted" });
    await vi.waitFor(() => expect(streams[0]?.isClosed()).toBe(true));
  });

  test("is not begun when its signal has aborted already", async () => {
    const fake = await startFake(serveListening([]));
    const client = openClient(fake.url);

    expect(await failureOf(client.subscribe(TOOLS, { signal: AbortSignal.abort() }))).toMatchObject({
      code: "aborted",
    });
    expect(fake.log).toEqual([]);
  });

  test("is not begun when its signal aborts while it is prepared", async () => {
    const send = vi.fn();
    const watching = {
      filter: TOOLS,
      signal: AbortSignal.abort(new MortiseError("aborted", "Given up")),
    } as unknown as Watching; // what is not begun needs no more

    const listening = listen({ watching, send, cancel: vi.fn(), onProblem: vi.fn() });

    expect(await failureOf(listening)).toMatchObject({ code: "aborted" });
    expect(send).not.toHaveBeenCalled();
  });

  test("is not ended by a notice about another request", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const changes = await openClient(fake.url).subscribe(TOOLS);
    const [stream] = streams;

    stream?.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 4711 } });
    stream?.send(toolsChanged(stream.id));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
  });

  test("rejects when the client is closed before the acknowledgement", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(
      serveListening(streams, { [LISTEN]: (reply) => void streams.push(openListening(reply)) }),
    );
    const client = openClient(fake.url);
    const subscribing = failureOf(client.subscribe(TOOLS));
    await vi.waitFor(() => expect(streams).toHaveLength(1));

    await client.close();

    expect(await subscribing).toMatchObject({ code: "connection_closed" });
  });
});

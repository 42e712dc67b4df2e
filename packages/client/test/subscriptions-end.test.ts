import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { farewell, LISTEN, type OpenStream, serveListening, toolsChanged } from "./listening-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { count } from "./stream-reply.js";

const TOOLS = { toolsListChanged: true } as const;

describe("the end of a subscription to a modern server", () => {
  const ends: [string, (stream: OpenStream) => void][] = [
    ["a result", (stream) => stream.send(farewell(stream.id))],
    [
      "a result and the end of the stream",
      (stream) => {
        stream.send(farewell(stream.id));
        stream.response.end();
      },
    ],
    [
      "a notice that it is cancelled",
      (stream) => stream.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: stream.id } }),
    ],
    [
      "both",
      (stream) =>
        stream.send(
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: stream.id } },
          farewell(stream.id),
        ),
    ],
  ];

  test.each(ends)("comes on purpose with %s, and it is not asked for again", async (_, end) => {
    const streams: OpenStream[] = [];
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveListening(streams));
    const client = openClient({ url: fake.url, onError });
    const onLost = vi.fn();
    const changes = await client.subscribe(TOOLS, { onLost });

    for (const stream of streams) {
      stream.send(toolsChanged(stream.id));
      end(stream);
    }
    const seen: string[] = [];
    for await (const change of changes) seen.push(change.method);

    expect(await changes.closed).toEqual({ reason: "server_ended" });
    expect(seen).toEqual(["notifications/tools/list_changed"]);
    expect(onLost).not.toHaveBeenCalled();
    expect(problems).toEqual([]);
    expect(count(fake.methods(), LISTEN)).toBe(1);
  });

  test("without a word is a loss: it is asked for again, under another id, and both are told", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const told: string[] = [];
    const changes = await client.subscribe(TOOLS, {
      onLost: (reason) => told.push((reason as Error & { code: string }).code),
      onRestored: () => told.push("restored"),
    });

    streams[0]?.response.end();
    await vi.waitFor(() => expect(streams).toHaveLength(2));
    await vi.waitFor(() => expect(told).toEqual(["stream_ended", "restored"]));
    streams[1]?.send(toolsChanged(streams[1].id));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
    expect(streams[1]?.id).not.toBe(streams[0]?.id);
  });

  test("is told to whoever reads, when it cannot be had again", async () => {
    const streams: OpenStream[] = [];
    let refuses = false;
    const serve = serveListening(streams);
    const fake = await startFake((reply) => (refuses ? reply.status(401) : serve(reply)));
    const client = openClient(fake.url);
    const changes = await client.subscribe(TOOLS);

    refuses = true;
    streams[0]?.response.destroy();
    const error = await failureOf(changes[Symbol.asyncIterator]().next());

    expect(error).toMatchObject({ code: "unauthorized" });
    expect(await changes.closed).toEqual({ reason: "failed", error });
    expect(await changes[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
  });

  test("comes after as many attempts as were allowed", async () => {
    const streams: OpenStream[] = [];
    let refuses = false;
    const serve = serveListening(streams);
    const fake = await startFake((reply) => (refuses ? reply.status(404) : serve(reply)));
    const client = openClient(fake.url);
    const { closed } = await client.subscribe(TOOLS, { maxAttempts: 2 });

    refuses = true;
    streams[0]?.response.destroy();

    expect(await closed).toMatchObject({ reason: "failed", error: { code: "http_status" } });
    expect(count(fake.methods(), LISTEN)).toBe(3);
  });

  test("can be decided by whoever hears of the loss", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const changes = await client.subscribe(TOOLS, { onLost: () => void changes.close() });

    streams[0]?.response.destroy();

    expect(await changes.closed).toEqual({ reason: "closed" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(streams).toHaveLength(1);
  });

  test.each([
    ["alone", (reply: Reply) => reply.status(503, "", { "retry-after": "1" })],
    [
      "with an error",
      (reply: Reply) => {
        reply.response.setHeader("retry-after", "1");
        reply.error(-32600, "later", { status: 429 });
      },
    ],
  ])("leaves the stream alone for as long as a busy server asks, when HTTP says it %s", async (_, refuse) => {
    const streams: OpenStream[] = [];
    const at: number[] = [];
    const serve = serveListening(streams);
    const fake = await startFake((reply) => {
      if (reply.request.message.method === LISTEN) at.push(performance.now());
      if (at.length === 2) refuse(reply);
      else serve(reply);
    });
    const client = openClient(fake.url);
    await client.subscribe(TOOLS);

    streams[0]?.response.destroy();

    await vi.waitFor(() => expect(streams).toHaveLength(2), { timeout: 5_000 });
    const [, second = 0, third = 0] = at;
    expect(third - second).toBeGreaterThanOrEqual(990);
  });

  test("comes with the client while it waits for the next attempt, and that does not keep the process alive", async () => {
    const streams: OpenStream[] = [];
    const fake = await startFake(serveListening(streams));
    const client = openClient(fake.url);
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const onLost = vi.fn(() => timers.mockClear());
    const { closed } = await client.subscribe(TOOLS, { onLost });
    streams[0]?.response.destroy();
    await vi.waitFor(() => expect(onLost).toHaveBeenCalled());

    const waiting = timers.mock.results.map(({ value }) => value as NodeJS.Timeout).find((timer) => !timer.hasRef());
    await client.close();

    expect(waiting).toBeDefined();
    expect(await closed).toEqual({ reason: "client_closed" });
    expect(streams).toHaveLength(1);
  });
});

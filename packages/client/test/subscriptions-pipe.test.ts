import { describe, expect, test, vi } from "vitest";
import { createFakePipe, type FakePipe, type PipeReply } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { acknowledge, askedFor, farewell, LISTEN, tagged, toolsChanged, updated } from "./listening-server.js";
import { DISCOVERED } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { count } from "./stream-reply.js";

const CANCELLED = "notifications/cancelled";

/** Answers like a modern server that acknowledges everything, a moment later. */
function serveModernPipe(overrides: Record<string, (reply: PipeReply) => void> = {}): FakePipe {
  return createFakePipe((reply) => {
    const { method = "", id } = reply.message;
    const override = overrides[method];
    if (override !== undefined) override(reply);
    else if (method === "server/discover") reply.result(DISCOVERED);
    else if (method === "tools/list") reply.result({ resultType: "complete", tools: [] });
    else if (method === LISTEN) setTimeout(() => reply.pipe.emit(acknowledge(id, askedFor(reply.message))), 0);
    else if (id !== undefined) reply.error(-32601, "no");
  });
}

const listens = (pipe: FakePipe): (number | undefined)[] =>
  pipe.log.filter(({ method }) => method === LISTEN).map(({ id }) => id);

describe("subscriptions to a modern server on a pipe", () => {
  test("are told apart by their ids, and neither hears the other's", async () => {
    const pipe = serveModernPipe();
    const client = openClient({ transport: pipe });
    const [onTools, onA, onB] = [vi.fn(), vi.fn(), vi.fn()];
    await Promise.all([
      client.subscribe({ toolsListChanged: true }, { onChange: onTools }),
      client.subscribe({ resourceSubscriptions: ["docs://x"] }, { onChange: onA }),
      client.subscribe({ resourceSubscriptions: ["docs://x"] }, { onChange: onB }),
    ]);
    const [tools, a] = listens(pipe);

    pipe.emit(toolsChanged(tools));
    pipe.emit(updated(a, "docs://x"));

    expect(onTools).toHaveBeenCalledTimes(1);
    expect(onA).toHaveBeenCalledTimes(1);
    expect(onB).not.toHaveBeenCalled();
  });

  test("may be acknowledged in any order, between changes of each other", async () => {
    const waiting: PipeReply[] = [];
    const pipe = serveModernPipe({ [LISTEN]: (reply) => void waiting.push(reply) });
    const client = openClient({ transport: pipe });
    await client.connect();
    const onChange = vi.fn();
    const first = client.subscribe({ toolsListChanged: true }, { onChange });
    const second = client.subscribe({ toolsListChanged: true }, { onChange });
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    const [a, b] = waiting.map(({ message }) => message.id);

    pipe.emit(acknowledge(b, { toolsListChanged: true }));
    pipe.emit(toolsChanged(b));
    pipe.emit(acknowledge(a, { toolsListChanged: true }));
    await Promise.all([first, second]);

    expect(onChange).toHaveBeenCalledTimes(1);
  });

  test("hear nothing that names no subscription, or one that nobody has", async () => {
    const pipe = serveModernPipe();
    const onNotification = vi.fn();
    const client = openClient({ transport: pipe, onNotification });
    const onChange = vi.fn();
    await client.subscribe({ toolsListChanged: true }, { onChange });
    onNotification.mockClear();

    pipe.emit({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    pipe.emit(toolsChanged(4711));
    pipe.emit(toolsChanged({}));

    expect(onChange).not.toHaveBeenCalled();
    expect(onNotification).toHaveBeenCalledTimes(3);
  });

  test("are cancelled by a notice with their id, once, and only they", async () => {
    const pipe = serveModernPipe();
    const client = openClient({ transport: pipe });
    const onChange = vi.fn();
    const closing = await client.subscribe({ toolsListChanged: true }, { onChange });
    const staying = await client.subscribe({ toolsListChanged: true });
    const [id, other] = listens(pipe);

    await Promise.all([closing.close(), closing.close()]);
    pipe.emit(toolsChanged(id));
    pipe.emit(toolsChanged(other));

    expect(pipe.log.filter(({ method }) => method === CANCELLED).map(({ params }) => params?.requestId)).toEqual([id]);
    expect(onChange).not.toHaveBeenCalled();
    expect(await staying[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
  });

  test("that are not acknowledged in time are cancelled", async () => {
    const pipe = serveModernPipe({ [LISTEN]: () => undefined });
    const client = openClient({ transport: pipe });

    const error = await failureOf(client.subscribe({ toolsListChanged: true }, { timeout: 30 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError" });
    expect(pipe.log.at(-1)).toMatchObject({ method: CANCELLED, params: { requestId: listens(pipe)[0] } });
  });

  test("are not cancelled when the server has ended them, by a result or a notice", async () => {
    const { problems, onError } = collectProblems();
    const pipe = serveModernPipe();
    const client = openClient({ transport: pipe, onError });
    const first = await client.subscribe({ toolsListChanged: true });
    const second = await client.subscribe({ toolsListChanged: true });
    const [a, b] = listens(pipe);

    pipe.emit(farewell(a));
    pipe.emit({ jsonrpc: "2.0", method: CANCELLED, params: { requestId: b } });
    pipe.emit(farewell(b));

    expect(await first.closed).toEqual({ reason: "server_ended" });
    expect(await second.closed).toEqual({ reason: "server_ended" });
    await first.close();
    expect(pipe.methods()).not.toContain(CANCELLED);
    expect(problems).toEqual([]);
  });

  test("are not ended by a notice about another request", async () => {
    const pipe = serveModernPipe();
    const client = openClient({ transport: pipe });
    const changes = await client.subscribe({ toolsListChanged: true });

    pipe.emit({ jsonrpc: "2.0", method: CANCELLED, params: { requestId: 4711 } });
    pipe.emit(tagged(listens(pipe)[0], CANCELLED, { requestId: 1 }));
    pipe.emit(toolsChanged(listens(pipe)[0]));

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ done: false });
  });
});

/** Answers like a legacy server that can say everything. */
function serveLegacyPipe(overrides: Record<string, (reply: PipeReply) => void> = {}): FakePipe {
  return createFakePipe((reply) => {
    const { method = "", id } = reply.message;
    const override = overrides[method];
    if (override !== undefined) override(reply);
    else if (method === "initialize")
      reply.result({
        ...initializeResult(),
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true, listChanged: false } },
      });
    else if (method === "tools/list") reply.result({ tools: [] });
    else if (method === SUBSCRIBE || method === UNSUBSCRIBE) reply.result({});
    else if (id !== undefined) reply.error(-32601, "no");
  });
}

const SUBSCRIBE = "resources/subscribe";
const UNSUBSCRIBE = "resources/unsubscribe";
const news = (uri: string): object => ({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri } });

describe("subscriptions to a legacy server on a pipe", () => {
  test("leave out what it does not declare", async () => {
    const pipe = serveLegacyPipe();
    const client = openClient({ transport: pipe, era: "legacy" });

    const { honored } = await client.subscribe({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ["docs://a"],
      jobIds: ["1"],
    });

    expect(honored).toEqual({ toolsListChanged: true, resourceSubscriptions: ["docs://a"] });
  });

  test("of lists need no message at all", async () => {
    const pipe = serveLegacyPipe();
    const client = openClient({ transport: pipe, era: "legacy" });
    await client.connect();
    const before = pipe.log.length;
    const onChange = vi.fn();

    const changes = await client.subscribe({ toolsListChanged: true }, { onChange });
    pipe.emit({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
    await changes.close();

    expect(pipe.log).toHaveLength(before);
  });

  test("subscribe to each resource once, and unsubscribe when the last of them ends", async () => {
    const pipe = serveLegacyPipe();
    const client = openClient({ transport: pipe, era: "legacy" });
    const onChange = vi.fn();
    const [first, second] = await Promise.all([
      client.subscribe({ resourceSubscriptions: ["docs://a", "docs://b"] }),
      client.subscribe({ resourceSubscriptions: ["docs://a"] }, { onChange }),
    ]);

    await first.close();
    pipe.emit(news("docs://a"));
    pipe.emit(news("docs://b"));
    await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1));
    const whileOneIsLeft = sent(pipe);
    await second.close();
    await second.close();

    expect(whileOneIsLeft).toEqual([`${SUBSCRIBE} docs://a`, `${SUBSCRIBE} docs://b`, `${UNSUBSCRIBE} docs://b`]);
    expect(sent(pipe).slice(3)).toEqual([`${UNSUBSCRIBE} docs://a`]);
  });

  test("wait until the server has forgotten a resource before they ask for it again", async () => {
    const waiting: PipeReply[] = [];
    const pipe = serveLegacyPipe({ [UNSUBSCRIBE]: (reply) => void waiting.push(reply) });
    const client = openClient({ transport: pipe, era: "legacy" });
    const first = await client.subscribe({ resourceSubscriptions: ["docs://a"] });

    const closing = first.close();
    const again = client.subscribe({ resourceSubscriptions: ["docs://a"] });
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = count(pipe.methods(), SUBSCRIBE);
    waiting[0]?.result({});
    await Promise.all([closing, again]);

    expect(before).toBe(1);
    expect(count(pipe.methods(), SUBSCRIBE)).toBe(2);
  });

  test("miss nothing that comes together with the confirmation", async () => {
    const pipe = serveLegacyPipe({
      [SUBSCRIBE]: ({ message, pipe }) => {
        setTimeout(() => pipe.emit([{ jsonrpc: "2.0", id: message.id, result: {} }, news("docs://a")]), 0);
      },
    });
    const client = openClient({ transport: pipe, era: "legacy" });

    const changes = await client.subscribe({ resourceSubscriptions: ["docs://a"] });

    expect(await changes[Symbol.asyncIterator]().next()).toMatchObject({ value: { params: { uri: "docs://a" } } });
  });

  test("keep no more of what comes before the confirmation than a reader would find", async () => {
    const { problems, onError } = collectProblems();
    const held: PipeReply[] = [];
    const pipe = serveLegacyPipe({ [SUBSCRIBE]: (reply) => void held.push(reply) });
    const client = openClient({ transport: pipe, era: "legacy", onError });
    await client.connect();

    const subscribing = client.subscribe({ resourceSubscriptions: ["docs://"] }, { maxPending: 2 });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    for (const name of ["a", "b", "c"]) pipe.emit(news(`docs://${name}`));
    for (const name of ["d", "e", "f"]) pipe.emit(news(`other://${name}`));
    await Promise.resolve();
    held[0]?.result({});
    const changes = await subscribing;
    await changes.close();
    const seen: unknown[] = [];
    for await (const { params } of changes) seen.push(params?.uri);

    expect(seen).toEqual(["docs://b", "docs://c"]);
    expect(problems).toMatchObject([{ code: "stream_ended" }]);
  });

  test("take back what they asked for when one resource is refused", async () => {
    const pipe = serveLegacyPipe({
      [SUBSCRIBE]: (reply) =>
        reply.message.params?.uri === ("docs://b" as never) ? reply.error(-32002, "no such") : reply.result({}),
    });
    const client = openClient({ transport: pipe, era: "legacy" });

    const error = await failureOf(client.subscribe({ resourceSubscriptions: ["docs://a", "docs://b"] }));

    expect(error).toMatchObject({ code: -32002 });
    await vi.waitFor(() => expect(sent(pipe).slice(2)).toEqual([`${UNSUBSCRIBE} docs://a`]));
    expect(await client.subscribe({ resourceSubscriptions: ["docs://a"] })).toBeDefined();
  });

  test("report a server that cannot unsubscribe, and end all the same", async () => {
    const { problems, onError } = collectProblems();
    const pipe = serveLegacyPipe({ [UNSUBSCRIBE]: (reply) => reply.error(-32601, "no") });
    const client = openClient({ transport: pipe, era: "legacy", onError });
    const changes = await client.subscribe({ resourceSubscriptions: ["docs://a"] });

    await changes.close();

    expect(await changes.closed).toEqual({ reason: "closed" });
    expect(problems).toEqual([expect.objectContaining({ code: -32601 })]);
  });

  test("give up in time when the server does not confirm", async () => {
    const pipe = serveLegacyPipe({ [SUBSCRIBE]: () => undefined });
    const client = openClient({ transport: pipe, era: "legacy" });

    const error = await failureOf(client.subscribe({ resourceSubscriptions: ["docs://a"] }, { timeout: 30 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 30 });
  });
});

function sent(pipe: FakePipe): string[] {
  return pipe.log
    .filter(({ method }) => method === SUBSCRIBE || method === UNSUBSCRIBE)
    .map(({ method, params }) => `${method} ${params?.uri}`);
}

import type { JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { modernMeta } from "./eras.js";
import { addHeld, createServer, HANDSHAKE, open, settled } from "./pipe-client.js";

describe("eras on one pipe", () => {
  test("answer a modern request without any opening", async () => {
    const client = open(createServer());

    client.modern("tools/call", { name: "echo", arguments: { a: 1 } });

    await vi.waitFor(() => expect(client.received).toMatchObject([{ id: 1, result: { resultType: "complete" } }]));
  });

  test("refuse a legacy request before the handshake, naming both ways to open", () => {
    const client = open(createServer());

    client.request("tools/list");

    expect(client.received).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(JSON.stringify(client.received)).toMatch(/initialize.*protocolVersion/);
  });

  test("let a client ping before the handshake", () => {
    const client = open(createServer());

    client.request("ping");

    expect(client.received).toEqual([{ jsonrpc: "2.0", id: 1, result: {} }]);
  });

  test("are not confused by a stray message of the other one", () => {
    const client = open(createServer());

    client.modern("server/discover");
    client.request("initialize", HANDSHAKE);
    client.notify("notifications/initialized", {});
    client.request("tools/list");
    client.modern("tools/list");
    client.request("tools/list");

    const results = client.received.map(({ result }) => result as JsonObject);
    expect(results.map((result) => result.resultType)).toEqual([
      "complete",
      undefined,
      undefined,
      "complete",
      undefined,
    ]);
    expect(results[3]).toHaveProperty("ttlMs");
    expect(results[2]).not.toHaveProperty("ttlMs");
  });

  test("are not decided by a notification", () => {
    const client = open(createServer());

    client.notify("notifications/cancelled", { requestId: 1, _meta: modernMeta() });
    client.request("initialize", HANDSHAKE);
    client.request("tools/list");

    expect(client.received[1]).not.toHaveProperty("result.resultType");
  });

  test("know server/discover only with an envelope", () => {
    const client = open(createServer());
    client.agree();

    client.request("server/discover");

    expect(client.received).toMatchObject([{ error: { code: -32601 } }]);
  });
});

describe("ids", () => {
  test.each([0, "", "1", 1, -5])("%j come back as they were", (id) => {
    const client = open(createServer());

    client.modern("tools/list", {}, id);

    expect(client.received[0]?.id).toBe(id);
  });

  test.each([
    ["null", { jsonrpc: "2.0", id: null, method: "ping" }],
    ["a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }],
    ["another version", { jsonrpc: "1.0", id: 1, method: "ping" }],
    ["no object", 5],
    ["null itself", null],
  ])("or messages that are malformed (%s) are answered, and the connection goes on", (_, message) => {
    const client = open(createServer());

    client.connection.receive(message);
    client.modern("tools/list");

    expect(client.received).toMatchObject([{ error: { code: -32600 } }, { result: {} }]);
    expect(client.received[0]?.id).not.toBeNull();
  });
});

test.each([
  ["whose result is no object", { jsonrpc: "2.0", id: 1, result: 5 }],
  ["with both outcomes", { jsonrpc: "2.0", id: 1, result: {}, error: { code: 1, message: "" } }],
  ["whose error has no code", { jsonrpc: "2.0", id: 1, error: {} }],
])("a response %s is not answered", (_, message) => {
  const client = open(createServer());
  client.agree("2025-03-26");

  client.connection.receive(message);
  client.connection.receive([message, { jsonrpc: "2.0", id: 2, method: "ping" }]);

  expect(client.received).toEqual([[{ jsonrpc: "2.0", id: 2, result: {} }]]);
});

test.each([
  ["throws", () => fail()],
  ["rejects", async () => fail()],
])("a pipe whose writing %s tells the server's owner", async (_, write) => {
  const errors: unknown[] = [];
  const server = new MCPServer({ name: "test", version: "1", onError: (error) => errors.push(error) });
  server.tool("slow", {}, async () => "x");
  server.tool("quick", {}, () => "x");
  const connection = server.connectPipe({ transport: "memory", write });
  const call = (id: number, name: string) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, _meta: modernMeta() },
  });

  connection.receive(call(1, "quick"));
  connection.receive(call(2, "slow"));
  await settled();

  expect(errors).toHaveLength(2);
  expect(connection.pending).toBe(0);
});

function fail(): never {
  throw new Error("broken");
}

describe("cancellation on a pipe", () => {
  test("costs no more for each of many than for one", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    const many = 10_000;
    for (let id = 1; id <= many; id += 1) client.modern("tools/call", { name: "held" }, id);
    const before = process.cpuUsage();
    for (let id = 1; id <= many; id += 1) client.notify("notifications/cancelled", { requestId: id });
    for (let id = 1; id <= many; id += 1) client.notify("notifications/cancelled", { requestId: `other ${id}` });

    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(1_500); // milliseconds; a search through all for each takes several times as long
    expect(calls.every(({ signal }) => signal.aborted)).toBe(true);
    expect(client.connection.pending).toBe(0);
  });

  test("aborts the handler's signal, and nothing is answered", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held", _meta: { progressToken: "p" } }, 5);
    const signal = calls[0]?.signal;

    client.notify("notifications/cancelled", { requestId: 5, reason: "changed my mind" });
    calls[0]?.progress(1);
    calls[0]?.release();
    await settled();

    expect(signal?.aborted).toBe(true);
    expect(client.received).toEqual([]);
    expect(client.connection.pending).toBe(0);
  });

  test.each([
    ["an unknown id", { requestId: 99 }],
    ["no id", {}],
    ["an id that is null", { requestId: null }],
  ])("of %s changes nothing", async (_, params) => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held" }, 5);

    client.notify("notifications/cancelled", params);
    calls[0]?.release();
    await settled();

    expect(client.received).toMatchObject([{ id: 5, result: {} }]);
  });

  test("twice, or after the answer, changes nothing", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held" }, 5);

    calls[0]?.release();
    await settled();
    client.notify("notifications/cancelled", { requestId: 5 });
    client.notify("notifications/cancelled", { requestId: 5 });
    client.modern("tools/list", {}, 6);

    expect(client.received.map(({ id }) => id)).toEqual([5, 6]);
  });

  test("reaches only the sender's own request, whatever others use as id", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const ann = open(server);
    const bob = open(server);
    ann.modern("tools/call", { name: "held" }, 1);
    bob.modern("tools/call", { name: "held" }, 1);

    ann.notify("notifications/cancelled", { requestId: 1 });
    for (const call of calls) call.release();
    await settled();

    expect(ann.received).toEqual([]);
    expect(bob.received).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe("changes of the tool list", () => {
  test("are announced to a legacy client, once for each turn", async () => {
    const server = createServer();
    const client = open(server);
    client.agree();

    const tool = server.tool("new", {}, () => "x");
    tool.disable();
    await settled();

    expect(client.received).toEqual([{ jsonrpc: "2.0", method: "notifications/tools/list_changed" }]);
  });

  test("are not announced to a client that did not open", async () => {
    const server = createServer();
    const client = open(server);
    client.modern("tools/list");
    client.received.length = 0;

    server.tool("new", {}, () => "x");
    await settled();

    expect(client.received).toEqual([]);
  });

  test("are declared, since they are announced", () => {
    const client = open(createServer());

    client.request("initialize", HANDSHAKE);

    expect(client.received).toMatchObject([{ result: { capabilities: { tools: { listChanged: true } } } }]);
  });
});

describe("the end of a pipe", () => {
  test("waits for owed answers when input ends, and takes no more", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held" }, 1);

    const finished = client.connection.finish();
    client.modern("tools/list", {}, 2);
    calls[0]?.release();
    await finished;

    expect(client.received.map(({ id }) => id)).toEqual([1]);
  });

  test("aborts what is still owed after the drain time", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held" }, 1);

    await client.connection.finish({ drain: 20 });

    expect(calls[0]?.signal.aborted).toBe(true);
    expect(client.received).toEqual([]);
  });

  test("aborts everything at once when it is closed", () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.modern("tools/call", { name: "held" }, 1);

    client.connection.close();

    expect(calls[0]?.signal.aborted).toBe(true);
  });

  test("is told when the server closes", async () => {
    const server = createServer();
    const onClose = vi.fn();
    server.connectPipe({ transport: "memory", write: () => undefined, onClose });

    await server.close();

    expect(onClose).toHaveBeenCalledOnce();
  });

  test("does not touch other connections", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const ann = open(server);
    const bob = open(server);
    ann.modern("tools/call", { name: "held" }, 1);
    bob.modern("tools/call", { name: "held" }, 1);

    ann.connection.close();
    calls[1]?.release();
    await settled();

    expect(bob.received).toMatchObject([{ id: 1, result: {} }]);
  });
});

describe("input that is no JSON", () => {
  test.each([
    ["parse", -32700],
    ["utf8", -32700],
    ["oversize", -32600],
  ] as const)("(%s) is answered with %i and without an id", (problem, code) => {
    const client = open(createServer());

    client.connection.malformed(problem);

    expect(client.received).toMatchObject([{ error: { code } }]);
    expect(client.received[0]).not.toHaveProperty("id");
  });
});

test("a handler that runs into a slow reader is told by a promise", async () => {
  const server = createServer();
  const write = vi.fn(() => Promise.resolve());
  let waited: unknown;
  server.tool("t", {}, (_, context) => {
    waited = context.progress(1);
    return "x";
  });
  const connection = server.connectPipe({ transport: "memory", write });

  connection.receive({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "t", _meta: modernMeta({ progressToken: 1 }) },
  });

  expect(waited).toBeInstanceOf(Promise);
});

test("notices that nobody reads are dropped beyond a limit, answers are not", () => {
  const server = createServer();
  const written: string[] = [];
  server.tool("t", {}, (_, context) => {
    for (let step = 1; step <= 5; step += 1) void context.progress(step);
    return "x";
  });
  const connection = server.connectPipe({
    transport: "memory",
    write: (text) => void written.push(text),
    get backlog() {
      return written.length < 2 ? 1_000_000 : 2_000_000;
    },
  });

  connection.receive({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "t", _meta: modernMeta({ progressToken: 1 }) },
  });

  const received = written.map((text) => JSON.parse(text));
  expect(received.map(({ id, params }) => id ?? params.progress)).toEqual([1, 2, 1]);
});

import type { JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { modernMeta } from "./eras.js";

const HANDSHAKE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "probe", version: "1" } };

/** A client at the other end of a pipe: what it says, and every message it was sent. */
function open(server: MCPServer) {
  const received: JsonObject[] = [];
  const connection = server.connectPipe({ transport: "memory", write: (text) => void received.push(JSON.parse(text)) });
  let ids = 0;
  return {
    connection,
    received,
    request(method: string, params?: JsonObject, id: string | number = ++ids) {
      connection.receive({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    },
    notify: (method: string, params: JsonObject) => connection.receive({ jsonrpc: "2.0", method, params }),
    agree(version = "2025-06-18") {
      connection.receive({
        jsonrpc: "2.0",
        id: "open",
        method: "initialize",
        params: { ...HANDSHAKE, protocolVersion: version },
      });
      connection.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
      received.length = 0;
    },
    modern(method: string, params: JsonObject = {}, id: string | number = ++ids) {
      connection.receive({
        jsonrpc: "2.0",
        id,
        method,
        params: { ...params, _meta: modernMeta(params._meta as JsonObject | undefined) },
      });
    },
  };
}

function createServer(): MCPServer {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool("echo", { input: { type: "object" } }, (args) => JSON.stringify(args));
  return server;
}

/** A tool that ends when it is told, and says what became of its signal. */
function addHeld(server: MCPServer, name = "held") {
  const calls: { release(): void; readonly signal: AbortSignal; progress(value: number): void }[] = [];
  server.tool(name, {}, (_, context) => {
    return new Promise<string>((resolve) => {
      calls.push({
        release: () => resolve("done"),
        signal: context.signal,
        progress: (value) => void context.progress(value),
      });
    });
  });
  return calls;
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

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

describe("cancellation on a pipe", () => {
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

describe("batches", () => {
  const batch = [
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", method: "notifications/x" },
    { jsonrpc: "2.0", id: 2, method: "ping" },
  ];

  test("are answered in one array on the revision that has them", () => {
    const client = open(createServer());
    client.agree("2025-03-26");

    client.connection.receive(batch);

    expect(client.received).toMatchObject([
      [
        { id: 1, result: { tools: [{ name: "echo" }] } },
        { id: 2, result: {} },
      ],
    ]);
  });

  test("wait for their slowest entry, and leave out a cancelled one", async () => {
    const server = createServer();
    const calls = addHeld(server);
    const client = open(server);
    client.agree("2025-03-26");
    const held = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "held" } });

    client.connection.receive([held(1), held(2), { jsonrpc: "2.0", id: 3, method: "ping" }, 7]);
    client.notify("notifications/cancelled", { requestId: 1 });
    calls[1]?.release();
    await settled();

    expect(client.received).toHaveLength(1);
    expect(new Set((client.received[0] as unknown as JsonObject[]).map(({ id }) => id))).toEqual(
      new Set([2, 3, undefined]),
    );
  });

  test("of notifications only are not answered", () => {
    const client = open(createServer());
    client.agree("2025-03-26");

    client.connection.receive([batch[1]]);

    expect(client.received).toEqual([]);
  });

  test.each([
    ["on later legacy revisions", "2025-06-18", batch],
    ["on the newest legacy revision", "2025-11-25", batch],
    ["when empty", "2025-03-26", []],
    ["when they hold an opening", "2025-03-26", [{ jsonrpc: "2.0", id: 1, method: "initialize", params: HANDSHAKE }]],
    [
      "when they hold a modern request",
      "2025-03-26",
      [{ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modernMeta() } }],
    ],
  ])("are refused whole %s", (_, version, messages) => {
    const client = open(createServer());
    client.agree(version);

    client.connection.receive(messages);

    expect(client.received).toMatchObject([{ error: { code: -32600 } }]);
    expect(client.received[0]).not.toHaveProperty("id");
  });

  test("are refused where nothing was agreed", () => {
    const client = open(createServer());

    client.connection.receive(batch);

    expect(client.received).toMatchObject([{ error: { code: -32600 } }]);
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

describe("log messages", () => {
  const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

  function createLogging(): MCPServer {
    const server = createServer();
    server.tool("log", {}, (_, context) => {
      for (const level of LEVELS) void context.log(level, { at: level });
      return "logged";
    });
    return server;
  }

  test.each([
    [undefined, 0],
    ["warning", 5],
    ["debug", 8],
    ["emergency", 1],
  ])("are sent to a modern client that asked for %s: %i of them", (level, count) => {
    const client = open(createLogging());

    client.modern("tools/call", {
      name: "log",
      _meta: level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level },
    });

    expect(client.received.filter(({ method }) => method === "notifications/message")).toHaveLength(count);
    expect(client.received.at(-1)).toHaveProperty("result");
  });

  test("follow the level a legacy client set", () => {
    const client = open(createLogging());
    client.agree();

    client.request("logging/setLevel", { level: "error" });
    client.request("tools/call", { name: "log" });

    expect(client.received[0]).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
    expect(client.received.filter(({ method }) => method === "notifications/message")).toHaveLength(4);
  });

  test("of levels that do not exist are refused", () => {
    const client = open(createLogging());
    client.agree();

    client.request("logging/setLevel", { level: "loud" });

    expect(client.received).toMatchObject([{ error: { code: -32602 } }]);
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

import type { HttpHandler, Verifier } from "@mortise/http";
import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { ask, call, INITIALIZE, later, mount, open, read, send } from "./legacy-peer.js";
import { createStore } from "./shared-store.js";

const ANYTHING = { type: "object" } as const;

function createServer(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("echo", { input: ANYTHING }, (args) => JSON.stringify(args));
  server.tool("who", {}, (_, { client, protocolVersion, sessionId }) => ({ client, protocolVersion, sessionId }));
  server.tool("crash", {}, () => {
    throw new Error("it broke");
  });
  return server;
}

/** Takes the bearer token for the name of the caller. */
const BY_TOKEN: Verifier = { verify: ({ header }) => ({ principal: header("authorization") ?? "nobody" }) };

const LIST = ask("tools/list");

async function status(
  handler: HttpHandler,
  ...sent: Parameters<typeof send> extends [unknown, ...infer Rest] ? Rest : never
) {
  const response = await send(handler, ...sent);
  await response.text();
  return response.status;
}

describe("opening", () => {
  test("gives an id of visible characters that nobody can guess", async () => {
    const handler = mount(createServer(), { sessions: "memory" });

    const ids = [await open(handler), await open(handler)];

    expect(ids[0]).not.toBe(ids[1]);
    for (const id of ids) expect(id).toMatch(/^[\x21-\x7e]{22,}$/);
  });

  test("gives no id when it fails", async () => {
    const handler = mount(createServer(), { sessions: "memory" });

    const response = await send(handler, ask("initialize", { protocolVersion: 5 }));

    expect((await read(response)).error?.code).toBe(-32602);
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  test("lets pages read the id", async () => {
    const handler = mount(createServer(), { sessions: "memory" });

    const response = await send(handler, ask("initialize", INITIALIZE), { headers: { origin: "http://localhost:1" } });

    expect(response.headers.get("access-control-expose-headers")).toContain("Mcp-Session-Id");
    expect(response.headers.get("mcp-session-id")).not.toBeNull();
  });

  test("begins anew where an id is sent along", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const first = await open(handler);

    const second = await open(handler, {}, { session: first });
    const third = await open(handler, {}, { session: "gone" });

    expect(new Set([first, second, third]).size).toBe(3);
    expect(await status(handler, LIST, { session: first })).toBe(200);
  });

  test("is answered as an event stream, id and all, where that is wanted", async () => {
    const handler = mount(createServer(), { sessions: "memory" }, { responseMode: "sse" });

    const session = await open(handler);

    expect(await status(handler, LIST, { session })).toBe(200);
  });
});

describe("a session", () => {
  test("remembers who the client is and what was agreed", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler, { protocolVersion: "2025-11-25" });

    const { result } = await read(await send(handler, call("who"), { session }));

    expect(result.structuredContent).toEqual({
      client: { name: "probe", version: "1" },
      protocolVersion: "2025-11-25",
      sessionId: session,
    });
  });

  test.each([undefined, "2025-06-18"])("takes requests with the version header %s", async (version) => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler);

    expect(await status(handler, LIST, { session, version })).toBe(200);
  });

  test.each(["2025-11-25", "2025-03-26", "banana", "", "2025-06-18, 2025-06-18"])(
    "refuses the version header %j",
    async (version) => {
      const handler = mount(createServer(), { sessions: "memory" });
      const session = await open(handler);

      const response = await send(handler, ask("tools/list", {}, 7), { session, version });

      expect(response.status).toBe(400);
      expect(await read(response)).toMatchObject({ id: 7, error: { message: expect.any(String) } });
    },
  );

  test.each([
    { title: "a request", message: LIST },
    { title: "a notification", message: { jsonrpc: "2.0", method: "notifications/initialized" } },
    { title: "a response", message: { jsonrpc: "2.0", id: "x", result: {} } },
  ])("is needed for $title", async ({ message }) => {
    const handler = mount(createServer(), { sessions: "memory" });

    expect(await status(handler, message)).toBe(400);
    expect(await status(handler, message, { session: "0".repeat(32) })).toBe(404);
  });

  test("stays small whatever a client says of itself", async () => {
    const store = createStore();
    const long = "x".repeat(100_000);
    const handler = mount(createServer(), { sessions: store });

    const session = await open(handler, {
      capabilities: { elicitation: { form: { note: long }, url: {} }, sampling: {}, roots: {}, [long]: {} } as never,
      clientInfo: { name: long, version: "1" },
    });

    const { capabilities, clientInfo } = (await store.get(session)) ?? {};
    expect(capabilities).toEqual({ elicitation: { form: {}, url: {} }, sampling: {}, roots: {} });
    expect(clientInfo).toEqual({ name: long.slice(0, 100), version: "1" });
  });

  test("takes notifications and unknown answers with 202", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler);

    const responses = [
      await send(handler, { jsonrpc: "2.0", method: "notifications/initialized" }, { session }),
      await send(handler, { jsonrpc: "2.0", id: "x", result: {} }, { session }),
      await send(handler, { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } }, { session }),
    ];

    expect(responses.map(({ status: each }) => each)).toEqual([202, 202, 202]);
    expect(await Promise.all(responses.map((response) => response.text()))).toEqual(["", "", ""]);
  });

  test("belongs to the caller that opened it", async () => {
    const handler = mount(createServer(), { sessions: "memory", getStream: true }, { auth: BY_TOKEN });
    const ada = { headers: { authorization: "ada" } };
    const eve = { headers: { authorization: "eve" } };
    const session = await open(handler, {}, ada);

    expect(await status(handler, LIST, { session, ...eve })).toBe(404);
    expect(await status(handler, undefined, { session, ...eve, method: "GET" })).toBe(404);
    expect(await status(handler, undefined, { session, ...eve, method: "DELETE" })).toBe(404);
    expect(await status(handler, LIST, { session, ...ada })).toBe(200);
  });

  test("is no concern of modern requests", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };

    const response = await send(handler, ask("tools/list", { _meta: meta }), {
      session: "gone",
      version: "2026-07-28",
      headers: { "mcp-method": "tools/list" },
    });

    expect(response.status).toBe(200);
    expect(response.headers.get("mcp-session-id")).toBeNull();
  });

  test("survives whatever goes wrong in it", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler);
    const other = await open(handler);
    const post = (body: string, type: string) =>
      handler(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: { "content-type": type, "mcp-session-id": session },
          body,
        }),
      );

    const failed = [
      await post("{", "application/json"),
      await post("{}", "text/plain"),
      await post('{"jsonrpc":"1.0"}', "application/json"),
      await send(handler, call("crash"), { session }),
      await send(handler, call("nope"), { session }),
      await send(handler, ask("nope"), { session }),
    ];

    expect(failed.map(({ status: each }) => each)).toEqual([400, 415, 400, 200, 200, 200]);
    expect(await status(handler, LIST, { session })).toBe(200);
    expect(await status(handler, LIST, { session: other })).toBe(200);
  });
});

describe("arrays of messages", () => {
  const BATCH = [ask("tools/list", {}, 1), { jsonrpc: "2.0", method: "notifications/x" }, ask("ping", {}, 2)];

  test("are answered in sessions of the revision that has them", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler, { protocolVersion: "2025-03-26" });

    const response = await send(handler, BATCH, { session });

    const answers: { id: number }[] = await response.json();
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
  });

  test.each(["2024-11-05", "2025-06-18", "2025-11-25"])("are refused in sessions of %s", async (protocolVersion) => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler, { protocolVersion });

    const response = await send(handler, BATCH, { session });

    expect(response.status).toBe(400);
    expect(await read(response)).toMatchObject({ error: { code: -32600 } });
  });

  test("of notifications and answers are accepted", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler, { protocolVersion: "2025-03-26" });
    const messages = [
      { jsonrpc: "2.0", method: "notifications/x" },
      { jsonrpc: "2.0", id: "x", result: {} },
    ];

    expect(await status(handler, messages, { session })).toBe(202);
  });
});

describe("the end of a session", () => {
  test("comes with DELETE, once", async () => {
    const handler = mount(createServer(), { sessions: "memory" });
    const session = await open(handler);
    const other = await open(handler);

    expect(await status(handler, undefined, { session, method: "DELETE" })).toBe(204);

    expect(await status(handler, LIST, { session })).toBe(404);
    expect(await status(handler, undefined, { session, method: "DELETE" })).toBe(404);
    expect(await status(handler, LIST, { session: other })).toBe(200);
  });

  test("aborts what is being worked on", async () => {
    const server = createServer();
    const aborted = later();
    const started = later();
    server.tool("wait", {}, async (_, { signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.resolve();
    });
    const handler = mount(server, { sessions: "memory" });
    const session = await open(handler);
    const waiting = send(handler, call("wait"), { session });
    await started.promise;

    await send(handler, undefined, { session, method: "DELETE" });

    await aborted.promise;
    expect((await waiting).status).toBe(202);
  });

  test("comes when it has been idle for too long, and not before", async () => {
    vi.useFakeTimers();
    try {
      const handler = mount(createServer(), { sessions: "memory", idleTimeout: 1_000 });
      const session = await open(handler);

      vi.advanceTimersByTime(900);
      expect(await status(handler, LIST, { session })).toBe(200);
      vi.advanceTimersByTime(900);
      expect(await status(handler, LIST, { session })).toBe(200);
      vi.advanceTimersByTime(1_100);
      expect(await status(handler, LIST, { session })).toBe(404);
    } finally {
      vi.useRealTimers();
    }
  });

  test("never comes while a call of it is being worked on", async () => {
    vi.useFakeTimers();
    try {
      const server = createServer();
      const release = later<string>();
      server.tool("wait", {}, () => release.promise);
      const handler = mount(server, { sessions: "memory", idleTimeout: 1_000 });
      const session = await open(handler);
      const waiting = send(handler, call("wait"), { session });
      await vi.advanceTimersByTimeAsync(5_000);

      expect(await status(handler, LIST, { session })).toBe(200);

      release.resolve("done");
      await (await waiting).text();
    } finally {
      vi.useRealTimers();
    }
  });

  test("comes for the one that was idle for longest where there are too many", async () => {
    const handler = mount(createServer(), { sessions: "memory", maxSessions: 2 });
    const [first, second] = [await open(handler), await open(handler)];
    await status(handler, LIST, { session: first });

    const third = await open(handler);

    const statuses = [first, second, third].map((session) => status(handler, LIST, { session }));
    expect(await Promise.all(statuses)).toEqual([200, 404, 200]);
  });

  test("does not come for the sake of an opening that fails", async () => {
    const handler = mount(createServer(), { sessions: "memory", maxSessions: 1 });
    const session = await open(handler);

    await send(handler, ask("initialize", { protocolVersion: 5 }));

    expect(await status(handler, LIST, { session })).toBe(200);
  });

  test("never makes room while work is in flight: openings wait", async () => {
    const server = createServer();
    const release = later<string>();
    server.tool("wait", {}, () => release.promise);
    const handler = mount(server, { sessions: "memory", maxSessions: 1 });
    const session = await open(handler);
    const waiting = send(handler, call("wait"), { session });
    await vi.waitFor(async () => expect(await status(handler, ask("initialize", INITIALIZE))).toBe(503));

    const refused = await send(handler, ask("initialize", INITIALIZE));
    release.resolve("done");
    await (await waiting).text();

    expect(refused.headers.get("retry-after")).toBe("5");
    await vi.waitFor(() => open(handler));
  });
});

describe("without sessions", () => {
  test.each(["GET", "DELETE", "PUT"])("%s is answered with 405, and nothing ends", async (method) => {
    const handler = mount(createServer(), {});

    const response = await send(handler, undefined, { session: "abc", method });

    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
    expect(await status(handler, LIST, { session: "abc" })).toBe(200);
  });

  test("no id is given or repeated", async () => {
    const handler = mount(createServer(), { sessions: "none" });

    const responses = [
      await send(handler, ask("initialize", INITIALIZE), { session: "abc" }),
      await send(handler, LIST, { session: "abc", headers: { "last-event-id": "5" } }),
    ];

    expect(responses.map((response) => response.headers.get("mcp-session-id"))).toEqual([null, null]);
  });
});

test("methods that are served are named by 405", async () => {
  const handler = mount(createServer(), { sessions: "memory", getStream: true });

  const response = await send(handler, undefined, { method: "PUT" });

  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, GET, DELETE, OPTIONS"]);
});

test.each([
  { legacy: { sessions: "redis" as never } },
  { legacy: { sessions: { get() {} } as never } },
  { legacy: { sessions: "memory" as const, mintSessionId: true } },
  { legacy: { idleTimeout: 0 } },
  { legacy: { maxSessions: 1.5 } },
  { legacy: { getStream: 1 as never } },
  { legacy: { stream: true } as never },
])("refuses the options $legacy", ({ legacy }) => {
  expect(() => mount(createServer(), legacy)).toThrow(expect.objectContaining({ code: "invalid_options" }));
});

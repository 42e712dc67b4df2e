import { expect, test } from "vitest";
import { call, initialize, legacy, modern, pause, startServer, textOf } from "./stdio-process.js";

const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };
const MODERN_LIST = { resultType: "complete", ttlMs: expect.any(Number), cacheScope: expect.any(String) };

test("serves each request in the era it opens with, after a probe too", async () => {
  const server = startServer();

  const probe = await server.ask(modern(1, "server/discover"));
  const opened = await server.ask(initialize(2, "2025-06-18"));
  server.send(INITIALIZED);
  const old = await server.ask(legacy(4, "tools/list"));
  const recent = await server.ask(modern(5, "tools/list"));

  expect(probe.result).toMatchObject({ supportedVersions: expect.arrayContaining(["2026-07-28"]) });
  expect(opened.result).toMatchObject({ protocolVersion: "2025-06-18" });
  expect(old.result).not.toHaveProperty("resultType");
  expect(old.result).not.toHaveProperty("ttlMs");
  expect(recent.result).toMatchObject(MODERN_LIST);
});

test("lets a notification with an envelope decide nothing", async () => {
  const server = startServer();

  server.send({ ...modern(undefined, "notifications/cancelled", { requestId: 9 }), id: undefined });
  const opened = await server.ask(initialize(2, "2025-06-18"));
  server.send(INITIALIZED);
  const old = await server.ask(legacy(4, "tools/list"));

  expect(opened.result).toMatchObject({ protocolVersion: "2025-06-18" });
  expect(old.result).not.toHaveProperty("resultType");
});

test("answers a probe after the handshake without leaving the agreed revision", async () => {
  const server = startServer();
  await server.ask(initialize(1));
  server.send(INITIALIZED);

  const probe = await server.ask(modern(2, "server/discover"));
  const old = await server.ask(legacy(3, "tools/list"));

  expect(probe.result).toMatchObject({ resultType: "complete" });
  expect(old.result).not.toHaveProperty("resultType");
});

test("refuses a request that opens with neither", async () => {
  const server = startServer();

  const refusal = await server.ask(legacy(1, "tools/list"));

  expect(refusal.error?.code).toBe(-32602);
});

test("one modern call needs no handshake", async () => {
  const server = startServer();

  const answer = await server.ask(call(1, "arguments", { a: 1 }));

  expect(answer.result).toMatchObject({ structuredContent: { members: ["a"] }, content: [{ type: "text" }] });
});

const LIST = legacy(1, "tools/list");
const PING = legacy(2, "ping");

test("answers a batch where the agreed revision has batches", async () => {
  const server = startServer();
  await server.ask(initialize(0, "2025-03-26"));

  server.send([LIST, { jsonrpc: "2.0", method: "notifications/x" }, PING]);
  await server.ask(legacy(3, "ping"));

  const batch = server
    .messages()
    .flat()
    .filter(({ id }) => id === 1 || id === 2);
  expect(batch.map(({ result }) => result !== undefined)).toEqual([true, true]);
});

test("has nothing to say to a batch of notifications", async () => {
  const server = startServer();
  await server.ask(initialize(0, "2025-03-26"));

  server.send([{ jsonrpc: "2.0", method: "notifications/x" }, INITIALIZED]);
  await server.ask(legacy(3, "ping"));

  expect(server.lines).toHaveLength(2);
});

test.each([
  ["of revision 2025-06-18", initialize(0, "2025-06-18"), [LIST, PING]],
  ["of revision 2025-11-25", initialize(0, "2025-11-25"), [LIST, PING]],
  ["of modern requests", modern(0, "tools/list"), [modern(1, "tools/list")]],
  ["with initialize in it", initialize(0, "2025-03-26"), [initialize(1, "2025-03-26"), PING]],
  ["that is empty", initialize(0, "2025-03-26"), []],
  ["of numbers", initialize(0, "2025-03-26"), [1]],
])("refuses a batch %s without an id", async (_what, opening, batch) => {
  const server = startServer();
  await server.ask(opening);

  server.send(batch);
  const refusal = [await server.find((message) => message.id !== 0)].flat()[0];

  expect(refusal?.error?.code).toBe(-32600);
  expect(refusal).not.toHaveProperty("id");
});

test.each([
  ["heeds nothing", "sleep", { ms: 300 }],
  ["throws", "throw_on_abort", {}],
])("sends nothing more for a cancelled call whose handler %s", async (_what, name, args) => {
  const server = startServer();
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } };
  server.send(call(5, name, args));
  await pause(100);

  server.send(cancel, cancel);
  await pause(600);
  const next = await server.ask(modern(6, "tools/list"));

  expect(next.result).toBeDefined();
  expect(server.messages().map(({ id }) => id)).toEqual([6]);
  expect(server.stderr()).toBe("");
});

test("stops progress with the cancelled call", async () => {
  const server = startServer();
  server.send(call(5, "report", {}, { progressToken: "p" }));
  await server.find(({ method }) => method === "notifications/progress");

  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5 } });
  await server.ask(modern(6, "tools/list"));
  const before = server.lines.length;
  await pause(200);

  expect(server.lines).toHaveLength(before);
});

test("ignores cancellations that name nothing it works on", async () => {
  const server = startServer();
  const cancel = (params?: unknown): unknown => ({ jsonrpc: "2.0", method: "notifications/cancelled", params });
  await server.ask(initialize(1));

  server.send(cancel({ requestId: 99 }), cancel({ requestId: 1 }), cancel(), cancel({}), cancel({ requestId: null }));
  server.send(cancel({ requestId: 2 }), legacy(2, "tools/list"));
  const next = await server.ask(legacy(3, "ping"));

  expect(next.result).toEqual({});
  expect(server.messages().map(({ id }) => id)).toEqual([1, 2, 3]);
});

test("refuses a result that JSON cannot hold, for that request only", async () => {
  const server = startServer();

  const [bigint, cycle] = await Promise.all([
    server.ask(call(1, "unserializable", { kind: "bigint" })),
    server.ask(call(2, "unserializable", { kind: "cycle" })),
  ]);
  const next = await server.ask(call(3, "echo", { text: "fine" }));

  expect([bigint.error?.code, cycle.error?.code]).toEqual([-32603, -32603]);
  expect(textOf(next)).toBe("fine");
});

test.each(["toString", "__proto__", "hasOwnProperty", "valueOf", ""])("knows no tool named %j", async (name) => {
  const server = startServer();

  const answer = await server.ask(call(1, name));

  expect(answer.error?.code).toBe(-32602);
});

test.each(["__proto__", "constructor", "toString"])("knows no method named %s", async (method) => {
  const server = startServer();

  const answer = await server.ask(modern(1, method));

  expect(answer.error?.code).toBe(-32601);
});

test("serves a tool named like a built-in member", async () => {
  const server = startServer();

  const answer = await server.ask(call(1, "constructor"));

  expect(textOf(answer)).toBe("constructed");
});

test("takes members named like built-in ones as data", async () => {
  const server = startServer();
  const line = (id: number, args: string, meta = ""): string =>
    JSON.stringify(call(id, "arguments", { x: 1 }))
      .replace('{"x":1}', args)
      .replace('"_meta":{', `"_meta":{${meta}`);

  server.write(`${line(1, '{"__proto__":{"isAdmin":true},"a":1}')}\n`);
  server.write(`${line(2, '{"constructor":{"prototype":{"isAdmin":true}}}')}\n`);
  server.write(`${line(3, "{}", '"__proto__":{"isAdmin":true},')}\n`);
  await server.find(({ id }) => id === 3);
  const polluted = await server.ask(call(4, "polluted"));

  expect(polluted.result).toMatchObject({ structuredContent: { isAdmin: "no" } });
});

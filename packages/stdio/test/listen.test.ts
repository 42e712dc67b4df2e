import { PassThrough } from "node:stream";
import { MCPServer } from "@mortise/server";
import { expect, test, vi } from "vitest";
import { stdio } from "../src/index.js";
import { call, initialize, legacy, modern, pause, startServer } from "./stdio-process.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

function listen(id: unknown, notifications: object = { toolsListChanged: true }) {
  return modern(id, "subscriptions/listen", { notifications });
}

test("a client is told of changes on as many streams as it opened, by their ids", async () => {
  const server = startServer();
  server.send(listen("a"), listen(0), listen(1, { promptsListChanged: true }));

  await server.ask(call(2, "change"));
  await server.find(({ method, params }) => method?.endsWith("list_changed") === true && metaOf(params) === 0);

  const changes = server.messages().filter(({ method }) => method?.endsWith("list_changed"));
  expect(changes.map(({ method, params }) => [method, metaOf(params)])).toEqual([
    ["notifications/tools/list_changed", "a"],
    ["notifications/tools/list_changed", 0],
  ]);
});

test("a stream that its client cancels brings no further line", async () => {
  const server = startServer();
  server.send(listen(1), listen(2));
  await server.find(({ params }) => metaOf(params) === 2);

  server.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await server.ask(call(3, "change"));
  await server.find(({ method, params }) => method?.endsWith("list_changed") === true && metaOf(params) === 2);

  const about = server.messages().filter(({ id, params }) => id === 1 || metaOf(params) === 1);
  expect(about.map(({ method }) => method)).toEqual(["notifications/subscriptions/acknowledged"]);
});

test("the end of the input ends every stream with its result at once, and then the process", async () => {
  const server = startServer({ drainTimeout: 60_000 });
  server.send(listen(1), listen("two"), call(3, "sleep", { ms: 300 }));
  await server.find(({ params }) => metaOf(params) === "two");

  server.child.stdin.end();
  const exit = await server.exit;

  const answers = server.messages().filter(({ id }) => id !== undefined);
  expect(exit).toEqual({ code: 0, signal: null });
  expect(answers.map(({ id }) => id)).toEqual([1, "two", 3]);
  expect(answers.slice(0, 2).map(({ result }) => metaOf(result))).toEqual([1, "two"]);
});

test("the end of the input ends a stream with its result where calls are aborted", async () => {
  const server = startServer({ onEof: "abort" });
  server.send(listen(1), call(2, "sleep", { ms: 60_000 }));
  await server.find(({ params }) => metaOf(params) === 1);

  server.child.stdin.end();
  await server.exit;

  expect(server.messages().map(({ id, method }) => id ?? method)).toEqual([
    "notifications/subscriptions/acknowledged",
    1,
  ]);
});

test("a legacy client on the same pipe is told of changes without a subscription id", async () => {
  const server = startServer();
  await server.ask(initialize(1));
  server.send({ jsonrpc: "2.0", method: "notifications/initialized" }, listen(2));

  await server.ask(legacy(3, "tools/call", { name: "change", arguments: {} }));
  await server.find(({ method, params }) => method?.endsWith("list_changed") === true && params === undefined);
  await server.find(({ method, params }) => method?.endsWith("list_changed") === true && metaOf(params) === 2);

  expect(server.messages().filter(({ method }) => method?.endsWith("list_changed"))).toHaveLength(2);
});

test("a client that stops reading is remembered one notice of each kind", async () => {
  const server = new MCPServer({ name: "fixture", version: "1.0.0", tools: [], prompts: [] });
  const input = new PassThrough();
  const output = new PassThrough({ highWaterMark: 100 });
  await server.listen(stdio({ input, output }));
  input.write(`${JSON.stringify(listen(1, { toolsListChanged: true, promptsListChanged: true }))}\n`);
  await vi.waitFor(() => expect(output.readableLength).toBeGreaterThan(0));

  for (let turn = 0; turn < 500; turn += 1) {
    server.notify.toolsChanged();
    server.notify.promptsChanged();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const held = output.readableLength + output.writableLength;
  let text = "";
  output.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await vi.waitFor(() => expect(text).toContain("prompts/list_changed"));
  await pause(20);
  await server.close();

  expect(held).toBeLessThan(2_000);
  expect(text.match(/list_changed/g)?.length).toBeLessThanOrEqual(6);
});

function metaOf(holder: Record<string, unknown> | undefined): unknown {
  const meta = holder?._meta as Record<string, unknown> | undefined; // a test that looks elsewhere finds nothing
  return meta?.[SUBSCRIPTION];
}

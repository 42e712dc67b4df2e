import { type Bus, inputRequired, type JsonObject } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { legacy, modern } from "../eras.js";
import { ask, createServer, ID, knowing } from "./extended.js";

const run = (): JsonObject => ({});

describe("the methods of an extension", () => {
  test("do not exist on legacy revisions, nor does the extension", async () => {
    const server = createServer();
    server.extend({ id: ID, negotiated: false, methods: { "x/y": { run } } });
    const clientInfo = { name: "test", version: "1" };
    const opening = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };

    expect(await legacy.ask(server, "x/y", {})).toMatchObject({ error: { code: -32601 } });
    expect((await legacy.ask(server, "initialize", opening)).result.capabilities).not.toHaveProperty("extensions");
  });

  test("are for every client where the extension is not negotiated", async () => {
    const server = createServer();
    server.extend({ id: ID, negotiated: false, methods: { "x/y": { run: () => ({ ok: 1 }) } } });

    expect(await modern.ask(server, "x/y")).toMatchObject({ result: { ok: 1, resultType: "complete" } });
  });

  test("keep the object they were written in", async () => {
    const server = createServer();
    const method = {
      answer: 42,
      run() {
        return { answer: this.answer };
      },
    };
    server.extend({ id: ID, methods: { "x/y": method } });

    expect(await ask(server, "x/y")).toMatchObject({ result: { answer: 42 } });
  });

  test("do not tell clients what a reader throws that was not made for them", async () => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    const params = (): never => {
      throw new Error("secret");
    };
    server.extend({ id: ID, methods: { "x/y": { params, run } } });

    const answer = await ask(server, "x/y");

    expect(answer.error.code).toBe(-32602);
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(errors).toHaveLength(1);
  });

  test("fail alone when they are read by a promise", async () => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    const params = (): never => Promise.reject(new Error("late")) as never;
    server.extend({ id: ID, methods: { "x/y": { params, run } } });

    expect(await ask(server, "x/y")).toMatchObject({ error: { code: -32602 } });
    expect(errors).toHaveLength(2);
  });

  test.each<[string, object]>([
    ["written by hand", { resultType: "input_required", requestState: "x" }],
    ["of inputRequired()", inputRequired({ state: "x" })],
  ])("cannot be answered with questions %s", async (_, question) => {
    const server = createServer();
    server.extend({ id: ID, methods: { "x/y": { run: () => question as JsonObject } } });

    expect(await ask(server, "x/y")).toMatchObject({ error: { code: -32603 } });
  });

  test("fail alone when they return no object", async () => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    server.extend({ id: ID, methods: { "x/y": { run: (async () => "text") as never } } });

    expect(await ask(server, "x/y")).toMatchObject({ error: { code: -32603 } });
    expect(errors).toHaveLength(1);
  });

  test("run within the server's middleware", async () => {
    const server = createServer();
    server.extend({ id: ID, methods: { "x/y": { run } } });
    server.use(async ({ method }, next) => ({ ...(await next()), seen: method }));

    expect(await ask(server, "x/y")).toMatchObject({ result: { seen: "x/y" } });
  });

  test.each([
    ["no extension has", "other"],
    ["is no text", 5],
  ])("cannot answer with a result type that %s", async (_, resultType) => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    server.extend({ id: ID, resultTypes: ["own"], methods: { "x/y": { run: () => ({ resultType }) } } });

    expect(await ask(server, "x/y")).toMatchObject({ error: { code: -32603 } });
    expect(errors).toHaveLength(1);
  });

  test("cannot answer with their own result type where the client does not know it", async () => {
    const server = createServer();
    server.extend({
      id: ID,
      negotiated: false,
      resultTypes: ["own"],
      methods: { "x/y": { run: () => ({ resultType: "own" }) } },
    });

    expect(await ask(server, "x/y")).toMatchObject({ result: { resultType: "own" } });
    expect(await modern.ask(server, "x/y")).toMatchObject({ error: { code: -32603 } });
  });
});

test("an extension hears what another process publishes under its name, and nothing else", async () => {
  const bus = createBus();
  const [one, two] = [createServer([], bus), createServer([], bus)];
  const handles = [one, two].map((server) => server.extend({ id: ID }));
  const other = two.extend({ id: "com.example/y" });
  const heard: unknown[] = [];
  const stop = handles[0]?.subscribe("jobs", (data) => heard.push(data));

  handles[1]?.publish("jobs", 1);
  handles[1]?.publish("others", 2);
  other.publish("jobs", 3);
  stop?.();
  handles[1]?.publish("jobs", 4);

  expect(heard).toEqual([1]);
});

test("a handler of any tool learns what the client declared of an extension", async () => {
  const server = createServer();
  server.tool("look", {}, (_, { extension }) => ({
    declared: extension(ID) ?? null,
    own: extension("toString") ?? null,
  }));
  const look = { name: "look", arguments: {} };

  const known = await modern.ask(server, "tools/call", { ...look, ...knowing({ mimeTypes: ["a/b"] }) });
  const unknown = await modern.ask(server, "tools/call", look);

  expect(known.result.structuredContent).toEqual({ declared: { mimeTypes: ["a/b"] }, own: null });
  expect(unknown.result.structuredContent).toEqual({ declared: null, own: null });
});

function createBus(): Bus {
  const listeners = new Map<string, Set<(data: unknown) => void>>();
  return {
    publish(topic, data) {
      for (const listener of listeners.get(topic) ?? []) listener(data);
    },
    subscribe(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return () => void all.delete(listener);
    },
  };
}

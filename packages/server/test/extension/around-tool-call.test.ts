import { inputRequired, type JsonObject, JsonRpcError, type MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { type Answer, describeEras, modern, modernMeta } from "../eras.js";
import { createServer, ID } from "./extended.js";

describeEras("around a call of a tool", (asker) => {
  test("extensions run in the order they were added", async () => {
    const server = createServer();
    const order: string[] = [];
    for (const name of ["one", "two"])
      server.extend({
        id: `com.example/${name}`,
        async aroundToolCall(_, next) {
          order.push(`before ${name}`);
          const result = await next();
          order.push(`after ${name}`);
          return result;
        },
      });

    await asker.call(server, "echo");

    expect(order).toEqual(["before one", "before two", "after two", "after one"]);
  });

  test("they see the call, and keep the object they were written in", async () => {
    const server = createServer();
    const extension = {
      id: ID,
      seen: [] as unknown[],
      aroundToolCall(call: { name: string; arguments: JsonObject; tool: JsonObject; declared: unknown }) {
        this.seen.push(call.name, call.arguments, call.tool.name, call.declared);
        return { content: [] };
      },
    };
    const { seen } = extension;
    server.extend(extension);

    await asker.call(server, "echo", { a: 1 });

    expect(seen).toEqual(["echo", { a: 1 }, "echo", undefined]);
  });

  test("what they throw to be sent is sent, and anything else is not", async () => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    server.extend({
      id: ID,
      aroundToolCall({ arguments: { kind } }) {
        throw kind === "sent" ? new JsonRpcError(-32000, "busy") : new Error("secret");
      },
    });

    expect(await asker.call(server, "echo", { kind: "sent" })).toMatchObject({ error: { code: -32000 } });
    expect(await asker.call(server, "echo")).toMatchObject({ error: { code: -32603, message: "Internal error" } });
    expect(errors).toHaveLength(1);
  });

  test.each([
    ["nothing", undefined],
    ["a list", []],
    ["no content", {}],
    ["of a type that nobody declared", { resultType: "task" }],
    ["questions without any", { resultType: "input_required" }],
  ])("a result that is none fails the call alone: %s", async (_, result) => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    server.extend({ id: ID, aroundToolCall: (() => result) as never });

    expect(await asker.call(server, "echo")).toMatchObject({ error: { code: -32603 } });
    expect(errors).toHaveLength(1);
  });

  test("a run apart gives the whole result, outside the middleware, and drops what the tool reports", async () => {
    const server = createServer();
    const passed: string[] = [];
    const sent: unknown[] = [];
    server.tool("report", {}, async (_, { progress }) => {
      await progress(1);
      return "done";
    });
    server.use((call, next) => {
      passed.push(call.method);
      return next();
    });
    let apart: JsonObject = {};
    server.extend({
      id: ID,
      async aroundToolCall({ context }, next) {
        apart = await next({ signal: context.signal });
        return { content: [] };
      },
    });

    const params = { name: "report", arguments: {}, _meta: { progressToken: "p" } };
    await asker.ask(server, "tools/call", params, { send: (each) => void sent.push(each) });

    expect(apart).toMatchObject({ content: [{ type: "text", text: "done" }] });
    expect(sent).toEqual([]);
    expect(passed).toEqual(["tools/call"]);
  });

  test("a run apart hands over what the tool reports, and passes the extensions further in", async () => {
    const server = createServer();
    const notices: unknown[] = [];
    server.tool("report", {}, async (_, { progress }) => {
      await progress(1);
      return "done";
    });
    server.extend({
      id: ID,
      aroundToolCall: ({ context }, next) => next({ signal: context.signal, onNotice: (each) => notices.push(each) }),
    });
    server.extend({
      id: "com.example/inner",
      aroundToolCall: async (_, next) => ({ ...(await next()), _meta: { "com.example/inner": 1 } }),
    });

    const params = { name: "report", arguments: {}, _meta: { progressToken: "p" } };
    const { result } = await asker.ask(server, "tools/call", params);

    expect(result).toMatchObject({ content: [{ text: "done" }], _meta: { "com.example/inner": 1 } });
    expect(notices).toMatchObject([{ method: "notifications/progress", params: { progressToken: "p", progress: 1 } }]);
  });

  test("a run apart rejects with the error that would have been sent", async () => {
    const server = createServer();
    let failure: unknown;
    server.tool("refuse", {}, () => {
      throw new JsonRpcError(-32000, "busy", { more: 1 });
    });
    server.extend({
      id: ID,
      async aroundToolCall({ context }, next) {
        failure = await next({ signal: context.signal }).catch((error: unknown) => error);
        return { content: [] };
      },
    });

    await asker.call(server, "refuse");

    expect(failure).toMatchObject({ name: "JsonRpcError", code: -32000, message: "busy", data: { more: 1 } });
  });

  test("a run apart ends when its signal does, before it or while it runs, even if the tool does not care", async () => {
    const server = createServer();
    const controller = new AbortController();
    const reason = new Error("enough");
    const failures: unknown[] = [];
    server.tool("forever", {}, () => {
      controller.abort(reason);
      return new Promise<string>(() => undefined);
    });
    server.extend({
      id: ID,
      async aroundToolCall(_, next) {
        for (let round = 0; round < 2; round += 1)
          failures.push(await next({ signal: controller.signal }).catch((error: unknown) => error));
        return { content: [] };
      },
    });

    await asker.call(server, "forever");

    expect(failures).toEqual([reason, reason]);
  });

  test("a run apart goes on after the answer, and ends when the server does", async () => {
    const server = createServer();
    const signals: AbortSignal[] = [];
    let apart: Promise<unknown> = Promise.resolve();
    const running = new Promise<void>((resolve) => {
      server.tool("held", {}, (_, { signal }) => {
        signals.push(signal);
        resolve();
        return new Promise<string>(() => undefined);
      });
    });
    server.extend({
      id: ID,
      aroundToolCall(_, next) {
        apart = next({ signal: new AbortController().signal }).catch((error: unknown) => error);
        return { content: [] };
      },
    });

    await asker.call(server, "held");
    await running;
    expect(signals[0]?.aborted).toBe(false);
    await server.close();

    expect(signals[0]?.aborted).toBe(true);
    expect(await apart).toMatchObject({ name: "AbortError" });
  });
});

describe("questions around a call of a tool", () => {
  const schema = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] } as const;
  const accepted = { action: "accept", content: { ok: true } };

  /** An extension that asks before a tool runs which asks too. */
  function createAsking(errors: unknown[]): MCPServer {
    const server = createServer(errors);
    server.tool("ask", {}, async (_, context) => {
      await context.elicit({ message: "And now?", schema, key: "tool" });
      return "done";
    });
    server.extend({
      id: ID,
      async aroundToolCall({ context }, next) {
        const { action } = await context.elicit({ message: "Sure?", schema, key: "extension" });
        return action === "accept" ? next() : { content: [], isError: true };
      },
    });
    return server;
  }

  function call(server: MCPServer, name: string, more: JsonObject = {}): Promise<Answer> {
    const _meta = modernMeta({ "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } });
    return modern.ask(server, "tools/call", { name, arguments: {}, ...more, _meta });
  }

  test("are not told as a value when the tool is run twice", async () => {
    const errors: unknown[] = [];
    const server = createServer(errors);
    server.tool("ask", {}, () => inputRequired({ state: "secret" }));
    server.extend({
      id: ID,
      async aroundToolCall(_, next) {
        await next();
        return next();
      },
    });

    const answer = await call(server, "ask");

    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(errors).toMatchObject([{ code: "input_required" }]);
  });

  test("may be asked by the extension, and by the tool in a later round", async () => {
    const errors: unknown[] = [];
    const server = createAsking(errors);

    const first = (await call(server, "ask")).result;
    const inputResponses = { extension: accepted };
    const second = (await call(server, "ask", { inputResponses, requestState: first.requestState })).result;
    const answers = { inputResponses: { tool: accepted }, requestState: second.requestState };
    const third = (await call(server, "ask", answers)).result;

    expect(Object.keys(first.inputRequests)).toEqual(["extension"]);
    expect(Object.keys(second.inputRequests)).toEqual(["tool"]);
    expect(third).toMatchObject({ resultType: "complete", content: [{ text: "done" }] });
    expect(errors).toEqual([]);
  });

  test("can end the call before the tool runs", async () => {
    const server = createAsking([]);

    const { requestState } = (await call(server, "echo")).result;
    const inputResponses = { extension: { action: "decline" } };

    expect((await call(server, "echo", { inputResponses, requestState })).result).toMatchObject({ isError: true });
  });
});

import { type ClientOptions, JsonRpcError } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { ALL, FORM, ROOTS, SAMPLE } from "./asking-server.js";
import type { Message } from "./fake-http.js";
import { createFakePipe, type FakePipe } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

/** A legacy server that, when a tool is called, sends what is given, and ends the call with the first answer to it. */
function createAsking(ask: (pipe: FakePipe) => void, version = "2025-11-25"): FakePipe {
  let call: number | undefined;
  const done = (pipe: FakePipe, answer: Message): void =>
    pipe.emit({ jsonrpc: "2.0", id: call, result: { content: [{ type: "text", text: JSON.stringify(answer) }] } });
  return createFakePipe(({ message, pipe, result, error }) => {
    if (message.method === "initialize") result(initializeResult(version));
    else if (message.method === "server/discover") error(-32601, "Method not found");
    else if (message.method === "tools/list") result({ tools: [] });
    else if (message.method === "tools/call") {
      call = message.id;
      ask(pipe);
    } else if (message.method === undefined && call !== undefined) done(pipe, message);
  });
}

/** Calls a tool whose server asks one question, and gives what the server got for an answer. */
async function answerTo(question: object, options: Partial<ClientOptions>, version?: string): Promise<Message> {
  const pipe = createAsking(({ emit }) => emit({ jsonrpc: "2.0", id: "q1", ...question }), version);
  const client = openClient({ ...options, transport: pipe } as ClientOptions);
  const { text } = await client.callTool("ask");
  return JSON.parse(text) as Message;
}

describe("a request of a legacy server", () => {
  test.each([
    ["for a form", FORM, { action: "accept", content: { name: "Ada" } }],
    ["for a model's answer", SAMPLE, { role: "assistant", content: { type: "text", text: "Hello" }, model: "m" }],
    ["for folders", ROOTS, { roots: [{ uri: "file:///home", name: "Home" }] }],
    ["for a sign of life", { method: "ping" }, {}],
  ])("%s is answered while the call goes on", async (_title, question, result) => {
    expect(await answerTo(question, ALL)).toEqual({ jsonrpc: "2.0", id: "q1", result });
  });

  test.each([
    ["that nobody answers", ROOTS, {}, -32601],
    ["that this client does not know", { method: "vendor/ask" }, ALL, -32601],
    ["without what it must have", { method: "elicitation/create", params: {} }, ALL, -32602],
    [
      "in a mode that was not declared",
      { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://a.test" } },
      { ...ALL, capabilities: { elicitation: { form: {} } } },
      -32602,
    ],
  ])("%s is refused", async (_title, question, options, code) => {
    expect(await answerTo(question, options)).toMatchObject({ id: "q1", error: { code } });
  });

  test("is answered with one block where the revision knows one only", async () => {
    const block = { type: "text", text: "Hello" } as const;

    const answer = await answerTo(SAMPLE, { onSample: () => ({ content: [block], model: "m" }) }, "2025-06-18");

    expect(answer.result?.content).toEqual(block);
  });

  test("whose handler throws gets no word of why, and the client is told", async () => {
    const { problems, onError } = collectProblems();
    const problem = new Error("secret path /home/ada");

    const answer = await answerTo(ROOTS, { onError, onRoots: () => Promise.reject(problem) });

    expect(answer).toMatchObject({ error: { code: -32603 } });
    expect(JSON.stringify(answer)).not.toContain("secret");
    expect(problems).toEqual([problem]);
  });

  test("whose handler throws a JSON-RPC error gets that", async () => {
    const onSample = (): never => {
      throw new JsonRpcError(-1, "User rejected sampling request", { why: "no" });
    };

    expect(await answerTo(SAMPLE, { onSample })).toMatchObject({
      error: { code: -1, message: "User rejected sampling request", data: { why: "no" } },
    });
  });

  test("whose handler gives an answer that does not fit gets an error", async () => {
    const { problems, onError } = collectProblems();

    const answer = await answerTo(FORM, { onError, onElicit: () => ({ action: "accept", content: {} }) });

    expect(answer).toMatchObject({ error: { code: -32603 } });
    expect(problems).toMatchObject([{ code: "invalid_answer" }]);
  });

  test("that is cancelled aborts its handler, and is not answered", async () => {
    const reasons: unknown[] = [];
    const pipe = createAsking(({ emit }) => emit({ jsonrpc: "2.0", id: 7, ...ROOTS }));
    const client = openClient({
      transport: pipe,
      onRoots: ({ signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason);
            resolve([]);
            pipe.emit({ jsonrpc: "2.0", id: 8, method: "ping" });
          });
          pipe.emit({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
        }),
    });

    await client.callTool("ask");

    expect(reasons).toMatchObject([{ code: "aborted" }]);
    expect(pipe.log.filter(({ method }) => method === undefined).map(({ id }) => id)).toEqual([8]);
  });

  test("under an id that is in use is refused", async () => {
    const pipe = createAsking(({ emit }) => {
      emit({ jsonrpc: "2.0", id: 7, ...ROOTS });
      emit({ jsonrpc: "2.0", id: 7, ...ROOTS });
    });
    const client = openClient({ transport: pipe, onRoots: () => new Promise(() => undefined) });

    const { text } = await client.callTool("ask");

    expect(JSON.parse(text)).toMatchObject({ id: 7, error: { code: -32600 } });
  });
});

describe("while a legacy server waits for an answer", () => {
  test("the timeout of its call does not run", async () => {
    const pipe = createAsking(({ emit }) => emit({ jsonrpc: "2.0", id: "q1", ...ROOTS }));
    const client = openClient({
      transport: pipe,
      timeout: 300,
      onRoots: () => new Promise((resolve) => setTimeout(resolve, 500, [])),
    });

    expect((await client.callTool("ask")).isError).toBe(false);
  });

  test("the timeout starts anew with the answer", async () => {
    const pipe = createFakePipe(({ message, pipe: { emit }, result, error }) => {
      if (message.method === "initialize") result(initializeResult());
      if (message.method === "server/discover") error(-32601, "Method not found");
      if (message.method === "tools/list") result({ tools: [] });
      if (message.method === "tools/call") emit({ jsonrpc: "2.0", id: "q1", ...ROOTS });
    });
    const client = openClient({ transport: pipe, timeout: 100, onRoots: () => [] });

    expect(await failureOf(client.callTool("ask"))).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 100 });
  });

  test("giving the call up ends the question, and the server is told of both", async () => {
    const controller = new AbortController();
    const pipe = createAsking(({ emit }) => emit({ jsonrpc: "2.0", id: "q1", ...ROOTS }));
    let reason: unknown;
    const client = openClient({
      transport: pipe,
      onRoots: ({ signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        controller.abort();
        return new Promise(() => undefined);
      },
    });

    const error = await failureOf(client.callTool("ask", {}, { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted" });
    expect(reason).toMatchObject({ code: "aborted" });
    expect(pipe.log.slice(-2)).toMatchObject([
      { method: "notifications/cancelled" },
      { id: "q1", error: { code: -32603 } },
    ]);
  });

  test("closing the client ends the question", async () => {
    const pipe = createAsking(({ emit }) => emit({ jsonrpc: "2.0", id: "q1", ...ROOTS }));
    let aborted = false;
    const client = openClient({
      transport: pipe,
      onRoots: ({ signal }) => {
        signal.addEventListener("abort", () => {
          aborted = true;
        });
        void client.close();
        return new Promise(() => undefined);
      },
    });

    await failureOf(client.callTool("ask"));

    expect(aborted).toBe(true);
  });
});

describe("changed folders", () => {
  test("are told to a legacy server", async () => {
    const pipe = createAsking(() => undefined);
    const client = openClient({ transport: pipe, onRoots: () => [] });
    await client.connect();

    await client.notifyRootsChanged();

    expect(pipe.log.at(-1)).toMatchObject({ method: "notifications/roots/list_changed" });
  });

  test("are not told before there is a connection", async () => {
    const pipe = createAsking(() => undefined);
    const client = openClient({ transport: pipe, onRoots: () => [] });

    await client.notifyRootsChanged();

    expect(pipe.log).toEqual([]);
  });
});

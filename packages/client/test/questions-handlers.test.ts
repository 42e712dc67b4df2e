import type { ClientOptions } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { ALL, asks, callsOf, DONE, FORM, ROOTS, SAMPLE, startAsking } from "./asking-server.js";
import { startFake } from "./fake-http.js";
import { createFakePipe, type PipeReply } from "./fake-pipe.js";
import { DISCOVERED, serveModern } from "./modern-server.js";
import { failureOf, openClient } from "./open-client.js";

describe("a handler", () => {
  test("gets the question, who asks, and the mode also where the server leaves it out", async () => {
    const fake = await startAsking(asks({ a: FORM }), DONE);
    const seen: unknown[] = [];
    const client = openClient({
      url: fake.url,
      onElicit(request, { serverInfo }) {
        seen.push(request.mode, request.message, serverInfo?.name);
        return { action: "cancel" };
      },
    });

    await client.callTool("echo");

    expect(seen).toEqual(["form", "Who?", "fake"]);
  });

  test("that agrees to a page, or refuses a form, sends no content along", async () => {
    const page = { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://a.test/x" } };
    const fake = await startAsking(asks({ page, form: FORM }), DONE);
    const client = openClient({
      url: fake.url,
      onElicit: ({ mode }) => ({ action: mode === "url" ? "accept" : "decline", content: { name: "x" } }) as never,
    });

    await client.callTool("echo");

    expect(callsOf(fake)[1]?.inputResponses).toEqual({ page: { action: "accept" }, form: { action: "decline" } });
  });

  test("that throws rejects the call with what it threw, and its neighbours are told to stop", async () => {
    const fake = await startAsking(asks({ a: FORM, b: ROOTS }), DONE);
    const problem = new Error("no display");
    let stopped = false;
    const client = openClient({
      url: fake.url,
      onElicit: (_request, { signal }) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            stopped = true;
          });
        }),
      onRoots: () => Promise.reject(problem),
    });

    expect(await failureOf(client.callTool("echo"))).toBe(problem);
    expect(stopped).toBe(true);
  });

  test.each([
    ["content that does not fit the form", { onElicit: () => ({ action: "accept", content: { name: 1 } }) }, FORM],
    ["an action that does not exist", { onElicit: () => ({ action: "reject" }) }, FORM],
    ["no model", { onSample: () => ({ content: { type: "text", text: "x" } }) }, SAMPLE],
    ["a folder that is no file", { onRoots: () => [{ uri: "https://a.test" }] }, ROOTS],
  ])("that gives %s fails the call, and the server does not see it", async (_title, handlers, question) => {
    const fake = await startAsking(asks({ question }), DONE);
    const client = openClient({ url: fake.url, ...(handlers as Partial<ClientOptions>) });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "invalid_answer" });
    expect(callsOf(fake)).toHaveLength(1);
  });

  test("is asked all questions of a round at once", async () => {
    const fake = await startAsking(asks({ a: FORM, b: ROOTS }), DONE);
    let answered = (): void => undefined;
    const other = new Promise<void>((resolve) => {
      answered = resolve;
    });
    const client = openClient({
      url: fake.url,
      onElicit: async () => {
        await other;
        return { action: "cancel" };
      },
      onRoots: () => {
        answered();
        return [];
      },
    });

    expect((await client.callTool("echo")).text).toBe("done");
  });
});

describe("while somebody is asked", () => {
  const slow: Partial<ClientOptions> = { onElicit: (_request, { signal }) => untilAborted(signal) };

  function untilAborted(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  test("the timeout does not run", async () => {
    const fake = await startAsking(asks({ a: FORM }), DONE);
    const client = openClient({
      url: fake.url,
      timeout: 500,
      onElicit: () => new Promise((resolve) => setTimeout(resolve, 700, { action: "cancel" })),
    });

    expect((await client.callTool("echo")).text).toBe("done");
  });

  test("the total runs on", async () => {
    const fake = await startAsking(asks({ a: FORM }), DONE);
    const client = openClient({ url: fake.url, ...slow });

    const error = await failureOf(client.callTool("echo", {}, { maxTotalTimeout: 50 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 50 });
    expect(callsOf(fake)).toHaveLength(1);
  });

  test("the call can be given up, and its handler is told", async () => {
    const fake = await startAsking(asks({ a: FORM }), DONE);
    const controller = new AbortController();
    let told = false;
    const client = openClient({
      url: fake.url,
      onElicit: (_request, { signal }) => {
        signal.addEventListener("abort", () => {
          told = true;
        });
        controller.abort();
        return new Promise(() => undefined);
      },
    });

    const error = await failureOf(client.callTool("echo", {}, { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted" });
    expect(told).toBe(true);
  });

  test("closing the client ends the call", async () => {
    const fake = await startAsking(asks({ a: FORM }), DONE);
    const client = openClient({
      url: fake.url,
      onElicit: (_request, { signal }) => {
        void client.close();
        return untilAborted(signal);
      },
    });

    expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "connection_closed" });
  });

  test("a server that ends takes the call with it", async () => {
    const pipe = createFakePipe(({ message, result }: PipeReply) => {
      if (message.method === "server/discover") result(DISCOVERED);
      if (message.method === "tools/list") result({ resultType: "complete", tools: [] });
      if (message.method === "tools/call") result(asks({ a: FORM }));
    });
    const client = openClient({
      transport: pipe,
      onElicit: (_request, { signal }) => {
        pipe.end(new Error("gone"));
        return untilAborted(signal);
      },
    });

    expect((await failureOf(client.callTool("echo"))).message).toContain("gone");
  });

  test("waiting for a server that only needs time can be given up", async () => {
    const fake = await startAsking({ resultType: "input_required", requestState: "s" });
    const client = openClient(fake.url);

    const error = await failureOf(client.callTool("echo", {}, { maxTotalTimeout: 100 }));

    expect(error).toMatchObject({ name: "MCPTimeoutError" });
    expect(callsOf(fake)).toHaveLength(1);
  });

  test("progress of the next round comes to the same listener, under a token of its own", async () => {
    const tokens: unknown[] = [];
    const results = [asks({ a: ROOTS }), DONE];
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          const { id, params } = request.message;
          const progressToken = params?._meta?.progressToken;
          tokens.push(progressToken);
          const notice = {
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: { progressToken, progress: tokens.length },
          };
          const answer = { jsonrpc: "2.0", id, result: results.shift() };
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.end([notice, answer].map((message) => `data: ${JSON.stringify(message)}\n\n`).join(""));
        },
      }),
    );
    const seen: number[] = [];
    const client = openClient({ url: fake.url, ...ALL });

    await client.callTool("echo", {}, { onProgress: ({ progress }) => void seen.push(progress) });

    expect(seen).toEqual([1, 2]);
    expect(new Set(tokens).size).toBe(2);
  });
});

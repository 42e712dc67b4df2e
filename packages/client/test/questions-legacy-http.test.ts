import type { ServerResponse } from "node:http";
import type { CommonOptions } from "@mortise/client";
import { expect, test } from "vitest";
import { FORM, ROOTS } from "./asking-server.js";
import { type FakeServer, type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { failureOf, openClient } from "./open-client.js";

/** Writes messages to the event stream that answers a call. */
function write(response: ServerResponse, ...messages: object[]): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  for (const message of messages) response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
}

/** A legacy server with a session that asks on the stream of a tool call, and ends the call with the answer. */
function startAsking(...asked: object[]): Promise<FakeServer> {
  let call: Reply | undefined;
  const serve = serveLegacy({
    sessions: ["s1"],
    overrides: {
      "tools/call": (reply) => {
        call = reply;
        write(reply.response, ...asked);
      },
    },
  });
  return startFake((reply) => {
    const { message } = reply.request;
    if (message.method !== undefined || call === undefined || reply.request.method !== "POST") return serve(reply);
    reply.status(202);
    const content = [{ type: "text", text: JSON.stringify(message) }];
    write(call.response, { id: call.request.message.id, result: { content } });
    call.response.end();
  });
}

function open(fake: FakeServer, options: CommonOptions): ReturnType<typeof openClient> {
  return openClient({ url: fake.url, ...options });
}

test("a question on the stream of a call is answered by a request of its own, in the same session", async () => {
  const fake = await startAsking({ id: 5, ...ROOTS });
  const client = open(fake, { onRoots: () => [{ uri: "file:///a" }] });

  const { text } = await client.callTool("ask");

  expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: 5, result: { roots: [{ uri: "file:///a" }] } });
  const answer = fake.log.find(({ message }) => message.result !== undefined);
  expect(answer?.headers).toMatchObject({ "mcp-session-id": "s1", "mcp-protocol-version": "2025-11-25" });
});

test("a question that nobody answers is refused at once", async () => {
  const fake = await startAsking({ id: 5, ...FORM });
  const client = open(fake, { onRoots: () => [] });

  expect(JSON.parse((await client.callTool("ask")).text)).toMatchObject({ id: 5, error: { code: -32601 } });
});

test("a question that is cancelled on the stream gets no answer", async () => {
  const cancelled = { method: "notifications/cancelled", params: { requestId: 5 } };
  const fake = await startAsking({ id: 5, ...ROOTS }, cancelled, { id: 6, method: "ping" });
  const client = open(fake, {
    onRoots: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
  });

  expect(JSON.parse((await client.callTool("ask")).text)).toMatchObject({ id: 6, result: {} });
  expect(fake.log.filter(({ message }) => message.id === 5 && message.method === undefined)).toEqual([]);
});

test("a call that is given up while its question is open refuses the question", async () => {
  const controller = new AbortController();
  const fake = await startAsking({ id: 5, ...ROOTS });
  const refused = new Promise<unknown>((resolve) => {
    const client = open(fake, {
      onRoots: ({ signal }) => {
        signal.addEventListener("abort", () => resolve(signal.reason));
        controller.abort();
        return new Promise(() => undefined);
      },
    });
    void failureOf(client.callTool("ask", {}, { signal: controller.signal }));
  });

  expect(await refused).toMatchObject({ code: "aborted" });
});

test("the stream that questions come on is asked for before anything else, since servers drop what nobody hears", async () => {
  const fake = await startFake(serveLegacy({ overrides: { GET: (reply) => reply.status(405) } }));
  const sent: string[] = [];
  const client = openClient({
    url: fake.url,
    era: "legacy",
    onElicit: () => ({ action: "decline" }),
    fetch(input, init) {
      const { method } = init?.method === "POST" ? JSON.parse(String(init.body)) : { method: init?.method };
      sent.push(method);
      return fetch(input, init);
    },
  });

  await client.connect();

  expect(sent).toEqual(["initialize", "notifications/initialized", "GET", "tools/list"]);
});

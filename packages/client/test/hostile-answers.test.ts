import { expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { createFakePipe, type PipeReply } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "./open-client.js";

/** Arrays inside one another, deeper than any stack, as JSON text. */
const DEEP = "[".repeat(200_000) + "]".repeat(200_000);
const MALFORMED_RESULTS = [null, "pong", 1, []];

function serveLegacyPipe(onPing: (reply: PipeReply) => void): (reply: PipeReply) => void {
  return (reply) => {
    const { method } = reply.message;
    if (method === "initialize") reply.result(initializeResult());
    if (method === "tools/list") reply.result({ tools: [] });
    if (method === "ping") onPing(reply);
  };
}

test("arrays nested deeper than the stack are reported, from a pipe", async () => {
  const { problems, onError } = collectProblems();
  const pipe = createFakePipe(serveLegacyPipe(({ result }) => result({})));
  const client = openClient({ transport: pipe, era: "legacy", onError });
  await client.connect();
  pipe.emit(JSON.parse(DEEP));
  pipe.emit([[{ jsonrpc: "2.0", method: "notifications/message" }]]);
  expect(problems).toMatchObject([{ code: "invalid_response" }, { code: "invalid_response" }]);
  await client.ping();
});

test.each(["application/json", "text/event-stream"])(
  "arrays nested deeper than the stack fail the call, as %s",
  async (type) => {
    const text = type === "application/json" ? DEEP : `data: ${DEEP}\n\n`;
    const deep = serveModern({
      "tools/call": ({ response }) => response.writeHead(200, { "content-type": type }).end(text),
    });
    const client = openClient((await startFake(deep)).url);
    const failure = await failureOf(client.callTool("echo"));
    expect(["invalid_response", "stream_ended"]).toContain(failure.code);
  },
);

test.each(MALFORMED_RESULTS)("a result that is no object (%j) fails its call at once, on a pipe", async (value) => {
  const client = openClient({
    transport: createFakePipe(serveLegacyPipe(({ result }) => result(value))),
    era: "legacy",
  });
  await client.connect();
  expect(await failureOf(client.ping())).toMatchObject({ code: "invalid_response" });
});

test("a result that is no object fails its call at once, on a stream that stays open", async () => {
  const stream = serveModern({
    "tools/call": ({ request, response }) => {
      const answer = JSON.stringify({ jsonrpc: "2.0", id: request.message.id, result: null });
      response.writeHead(200, { "content-type": "text/event-stream" }).write(`data: ${answer}\n\n`);
    },
  });
  const client = openClient((await startFake(stream)).url);
  expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "invalid_response" });
});

test("a server that answers server/discover with nonsense is greeted with the handshake at once", async () => {
  const pipe = createFakePipe((reply) => {
    if (reply.message.method === "server/discover") reply.result(null);
    else serveLegacyPipe(({ result }) => result({}))(reply);
  });
  const client = openClient({ transport: pipe, probeTimeout: 60_000 });
  expect(await client.connect()).toMatchObject({ era: "legacy" });
});

test("an answer with both a result and an error fails its call, and the next call works", async () => {
  const pipe = createFakePipe(
    serveLegacyPipe(({ message, pipe: sender, result }) => {
      const both = { jsonrpc: "2.0", id: message.id, result: {}, error: { code: 1, message: "x" } };
      if (pipe.methods().filter((method) => method === "ping").length > 1) result({});
      else queueMicrotask(() => sender.emit(both));
    }),
  );
  const client = openClient({ transport: pipe, era: "legacy" });
  await client.connect();
  expect(await failureOf(client.ping())).toMatchObject({ code: "invalid_response" });
  await client.ping();
  await pause(0);
});

test("a switch to another protocol fails the call at once", async () => {
  const upgrade = serveModern({
    "tools/call": ({ response }) => {
      response.socket?.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n");
    },
  });
  const client = openClient((await startFake(upgrade)).url);
  expect(await failureOf(client.callTool("echo"))).toMatchObject({ code: "connection_failed" });
});

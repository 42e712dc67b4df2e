import { describe, expect, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "./open-client.js";
import { modernRaw, type RawRequest, STREAM_HEAD, sendPieces, startRaw } from "./raw-http.js";

function answer(id: number, text = "ok"): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [{ type: "text", text }] } });
}

function progress(token: unknown, value = 1): string {
  return JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: token, progress: value },
  });
}

describe("an answer as an event stream", () => {
  const forms: [string, (id: number) => string][] = [
    ["LF", (id) => `event: message\ndata: ${answer(id)}\n\n`],
    ["CRLF", (id) => `event: message\r\ndata: ${answer(id)}\r\n\r\n`],
    ["CR", (id) => `event: message\rdata: ${answer(id)}\r\r`],
    ["all line ends mixed", (id) => `: hi\revent: message\r\ndata: ${answer(id)}\n\r\n`],
    ["no space, a byte-order mark, odd fields", (id) => `\uFEFFdata:${answer(id)}\nData: no\nid:\nretry: 12x\n\n`],
    [
      "data over several lines",
      (id) =>
        `data: {"jsonrpc":"2.0",\ndata:   "id":${id},\ndata: "result":{"resultType":"complete","content":[{"type":"text","text":"ok"}]}}\n\n`,
    ],
    [
      "a keep-alive and an empty event first",
      (id) => `:\n\nid: 1\ndata:\n\nevent: ping\ndata: {}\n\ndata: ${answer(id)}\n\n`,
    ],
  ];

  test.each(forms)("is read with %s, before the connection ends", async (_, form) => {
    const { problems, onError } = collectProblems();
    const raw = await startRaw(modernRaw((socket, { id }) => void socket.write(STREAM_HEAD + form(id))));
    const client = openClient({ url: raw.url, onError });
    await client.connect();

    const startedAt = performance.now();
    const { text } = await client.callTool("x");

    expect(text).toBe("ok");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(problems).toEqual([]);
  });

  test.each([1, 2, 3, 7])("is read when it comes in pieces of %i bytes", async (size) => {
    const form = (id: number): string => `data: ${progress("other")}\r\n\r\ndata: ${answer(id, "größe 🙂")}\r\n\r\n`;
    const raw = await startRaw(modernRaw((socket, { id }) => void sendPieces(socket, STREAM_HEAD + form(id), size)));
    const client = openClient(raw.url);
    await client.connect();

    const { text } = await client.callTool("x");

    expect(text).toBe("größe 🙂");
  });

  test("is hung up on when the server keeps it open after the answer", async () => {
    const raw = await startRaw(
      modernRaw((socket, { id }) => void socket.write(`${STREAM_HEAD}data: ${answer(id)}\n\n`)),
    );
    const client = openClient(raw.url);

    await client.callTool("x");

    await expect(raw.hungUp).resolves.toBeUndefined();
  });

  test("that ends by itself leaves its connection for the next request", async () => {
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          response
            .writeHead(200, { "content-type": "text/event-stream" })
            .end(`data: ${answer(request.message.id ?? 0)}\n\n`);
        },
      }),
    );
    const client = openClient(fake.url);

    for (let at = 0; at < 5; at += 1) await client.callTool("x");

    expect(fake.connections()).toBe(1);
  });
});

describe("a lost answer", () => {
  const cuts: [string, (request: RawRequest) => string, "end" | "reset", string][] = [
    ["a stream that ends after progress", ({ id }) => `${STREAM_HEAD}data: ${progress(id)}\n\n`, "end", "stream_ended"],
    [
      "a stream that is reset after progress",
      ({ id }) => `${STREAM_HEAD}data: ${progress(id)}\n\n`,
      "reset",
      "stream_ended",
    ],
    ["a stream without a byte", () => STREAM_HEAD, "end", "stream_ended"],
    ["an answer without its empty line", ({ id }) => `${STREAM_HEAD}data: ${answer(id)}\n`, "end", "stream_ended"],
    [
      "JSON shorter than promised",
      ({ id }) => `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n${answer(id)}`,
      "end",
      "stream_ended",
    ],
    [
      "JSON cut in the middle",
      () => 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"jsonrpc"',
      "end",
      "invalid_response",
    ],
    ["a connection closed without an answer", () => "", "end", "connection_failed"],
  ];

  test.each(cuts)("%s rejects at once and is not asked for again", async (_, bytes, end, code) => {
    const raw = await startRaw(
      modernRaw((socket, request) => {
        socket.write(bytes(request), () =>
          end === "end" ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 20),
        );
      }),
    );
    const client = openClient({ url: raw.url, fetch: globalThis.fetch });
    await client.connect();

    const startedAt = performance.now();
    const error = await failureOf(client.callTool("x"));

    expect(error).toMatchObject({ name: "MortiseError", code });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(raw.log.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });

  test.each(cuts.slice(0, 6))("%s rejects the same way on kept-alive connections", async (_, bytes, end, code) => {
    const raw = await startRaw(
      modernRaw((socket, request) => {
        socket.write(bytes(request), () =>
          end === "end" ? socket.end() : setTimeout(() => socket.resetAndDestroy(), 20),
        );
      }),
    );
    const client = openClient(raw.url);
    await client.connect();

    const error = await failureOf(client.callTool("x"));

    expect(error).toMatchObject({ name: "MortiseError", code });
    expect(raw.log.filter(({ method }) => method === "tools/call")).toHaveLength(1);
  });
});

describe("noise on a stream", () => {
  test("does not fail the call, and is reported at most once for each bad message", async () => {
    const { problems, onError } = collectProblems();
    const noise = (id: number): unknown[] => [
      JSON.parse(progress(id)),
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 4711, progress: 1 } },
      { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: id } },
      { jsonrpc: "2.0", method: "notifications/progress" },
      { jsonrpc: "2.0", method: "notifications/foo/bar" },
      { jsonrpc: "2.0", method: "notifications/message", params: { level: "loud", data: 1 } },
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } },
      { jsonrpc: "2.0", id: 999, result: {} },
      { jsonrpc: "2.0", id: 5, method: "sampling/createMessage", params: {} },
      { hello: 1 },
      "text",
    ];
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          const id = request.message.id ?? 0;
          response.writeHead(200, { "content-type": "text/event-stream" });
          for (const message of noise(id)) response.write(`data: ${JSON.stringify(message)}\n\n`);
          response.write("data: {not json\n\n");
          response.write(`data: ${answer(id)}\n\n`);
          response.end(`data: ${progress(id, 2)}\n\ndata: ${answer(id, "again")}\n\n`);
        },
      }),
    );
    const client = openClient({ url: fake.url, onError });

    const first = await client.callTool("x");
    await pause(20);

    expect(first.text).toBe("ok");
    expect(problems.length).toBeLessThanOrEqual(6);
    expect(fake.methods()).toEqual(["server/discover", "tools/list", "tools/call"]);
  });

  test("reaches those who listen to notifications, but not progress", async () => {
    const heard: string[] = [];
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          const id = request.message.id ?? 0;
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(
            `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}\n\ndata: ${progress(id)}\n\n`,
          );
          response.end(`data: ${answer(id)}\n\n`);
        },
      }),
    );
    const client = openClient({
      url: fake.url,
      onNotification({ method }) {
        heard.push(method);
        throw new Error("a listener that fails");
      },
    });

    await client.callTool("x");

    expect(heard).toEqual(["notifications/message"]);
  });
});

describe("a message larger than the limit", () => {
  test.each([
    ["as JSON", "application/json", (text: string) => text],
    ["as an event", "text/event-stream", (text: string) => `data: ${text}\n\n`],
  ])("%s is refused and the exchange closed", async (_, type, form) => {
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          response
            .writeHead(200, { "content-type": type })
            .end(form(answer(request.message.id ?? 0, "a".repeat(5_000))));
        },
      }),
    );
    const client = openClient({ url: fake.url, maxMessageBytes: 2_000 });

    const error = await failureOf(client.callTool("x"));

    expect(error).toMatchObject({ code: "response_too_large" });
  });
});

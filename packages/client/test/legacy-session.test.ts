import { describe, expect, test, vi } from "vitest";
import { startFake } from "./fake-http.js";
import { echo, serveLegacy } from "./legacy-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

describe("a legacy session over HTTP", () => {
  test("echoes the session id after the handshake and deletes it on close", async () => {
    const fake = await startFake(serveLegacy({ sessions: ["s1"] }));
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.connect();
    await client.callTool("echo", { text: "hi" });
    await client.close();

    expect(fake.methods()).toEqual(["initialize", "notifications/initialized", "tools/list", "tools/call", "DELETE"]);
    expect(fake.log.map(({ headers }) => headers["mcp-session-id"])).toEqual([undefined, "s1", "s1", "s1", "s1"]);
    expect(fake.log.map(({ headers }) => headers["mcp-protocol-version"])).toEqual([
      undefined,
      ...Array(4).fill("2025-11-25"),
    ]);
  });

  test("keeps the id of the handshake when every answer brings another", async () => {
    const serve = serveLegacy({ sessions: ["s1"] });
    const fake = await startFake((reply) => {
      if (reply.request.message.method === "tools/call") reply.result(echo({}), { "mcp-session-id": "other" });
      else serve(reply);
    });
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.callTool("echo");
    await client.callTool("echo");

    expect(fake.log.at(-1)?.headers["mcp-session-id"]).toBe("s1");
  });

  test("is used all the same when the server never takes the notice that it is open", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveLegacy({ overrides: { "notifications/initialized": () => undefined } }));
    const client = openClient({ url: fake.url, era: "legacy", timeout: 1_000, onError });

    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
    expect(problems).toEqual([expect.objectContaining({ name: "MCPTimeoutError", timeoutMs: 1_000 })]);
  });

  test("hangs up on an event stream that answers a notice", async () => {
    const hungUp: boolean[] = [];
    const fake = await startFake(
      serveLegacy({
        overrides: {
          "notifications/initialized": ({ response }) => {
            response.on("close", () => hungUp.push(true));
            response.writeHead(200, { "content-type": "text/event-stream" }).write(":\n\n");
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.callTool("echo", { text: "hi" });

    await vi.waitFor(() => expect(hungUp).toEqual([true]), { timeout: 5_000 });
  });

  test("sends no modern headers and no envelope", async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.callTool("echo", { text: "hi" });

    const call = fake.log.at(-1);
    expect(call?.headers["mcp-method"]).toBeUndefined();
    expect(call?.headers["mcp-name"]).toBeUndefined();
    expect(call?.message.params).toEqual({ name: "echo", arguments: { text: "hi" } });
  });

  test("numbers requests from 1", async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient(fake.url);

    await client.callTool("echo", { text: "hi" });

    expect(fake.log.map(({ message }) => message.id)).toEqual([1, 2, undefined, 3, 4]);
  });

  test.each([404, 405, 500])("ends quietly when the server answers the deletion with %i", async (status) => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(
      serveLegacy({ sessions: ["s1"], overrides: { DELETE: (reply) => reply.status(status) } }),
    );
    const client = openClient({ url: fake.url, era: "legacy", onError });
    await client.connect();

    await client.close();

    expect(problems).toEqual([]);
  });

  test("answers a ping on the stream of its request, and refuses what it cannot do", async () => {
    const fake = await startFake(
      serveLegacy({
        sessions: ["s1"],
        overrides: {
          "tools/call": ({ request, response }) => {
            response.writeHead(200, { "content-type": "text/event-stream" });
            response.write("id: 1\ndata:\n\n");
            response.write('data: {"jsonrpc":"2.0","id":0,"method":"ping"}\n\n');
            response.write('data: {"jsonrpc":"2.0","id":"q","method":"roots/list"}\n\n');
            response.end(`data: ${JSON.stringify({ jsonrpc: "2.0", id: request.message.id, result: echo({}) })}\n\n`);
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.callTool("echo");
    await expect.poll(() => fake.log.length).toBe(6);

    const answers = fake.log.slice(4).map(({ message }) => ({ ...message }));
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: 0, result: {} });
    expect(answers).toContainEqual(
      expect.objectContaining({ id: "q", error: expect.objectContaining({ code: -32601 }) }),
    );
    expect(fake.log.slice(4).map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1", "s1"]);
  });

  test("pings", async () => {
    const fake = await startFake(serveLegacy());
    const client = openClient({ url: fake.url, era: "legacy" });

    await client.ping();

    expect(fake.methods().at(-1)).toBe("ping");
  });

  test("reads a batch of the revision that had them", async () => {
    const fake = await startFake(
      serveLegacy({
        version: "2025-03-26",
        overrides: {
          "tools/call": ({ request, json }) =>
            json([
              { jsonrpc: "2.0", method: "notifications/message", params: {} },
              { jsonrpc: "2.0", id: request.message.id, result: { content: [{ type: "text", text: "ok" }] } },
            ]),
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const { text } = await client.callTool("echo");

    expect(text).toBe("ok");
  });

  test("takes an error that is wrapped in a result for an error", async () => {
    const fake = await startFake(
      serveLegacy({
        overrides: { "tools/call": (reply) => reply.result({ error: { code: -32601, message: "no such tool" } }) },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.callTool("nope"));

    expect(error).toMatchObject({ name: "JsonRpcError", code: -32601 });
  });
});

describe("a session that is gone", () => {
  test("is opened anew without an id, and the call repeated with another id", async () => {
    const gone = new Set<string | undefined>();
    const fake = await startFake(serveLegacy({ sessions: ["s1", "s2"], isGone: (session) => gone.has(session) }));
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.connect();
    gone.add("s1");

    const { text } = await client.callTool("echo", { text: "hi" });

    const renewal = fake.log.slice(3);
    expect(text).toBe("hi");
    expect(renewal.map(({ message }) => message.method)).toEqual([
      "tools/call",
      "initialize",
      "notifications/initialized",
      "tools/call",
    ]);
    expect(renewal.map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1", undefined, "s2", "s2"]);
    expect(renewal[0]?.message.id).not.toBe(renewal[3]?.message.id);
  });

  test("is opened anew once for calls that lose it together", async () => {
    const gone = new Set<string | undefined>();
    const fake = await startFake(serveLegacy({ sessions: ["s1", "s2", "s3"], isGone: (session) => gone.has(session) }));
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.connect();
    gone.add("s1");

    const results = await Promise.all(["a", "b", "c", "d", "e"].map((text) => client.callTool("echo", { text })));

    expect(results.map(({ text }) => text)).toEqual(["a", "b", "c", "d", "e"]);
    expect(fake.methods().filter((method) => method === "initialize")).toHaveLength(2);
    expect(fake.log.filter(({ headers }) => headers["mcp-session-id"] === "s2")).toHaveLength(6);
  });

  test("is not renewed without end", async () => {
    let gone = false;
    const fake = await startFake(serveLegacy({ sessions: ["s1", "s2", "s3", "s4"], isGone: () => gone }));
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.connect();
    gone = true;

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ name: "JsonRpcError", code: -32001 });
    expect(fake.methods().filter((method) => method === "initialize")).toHaveLength(2);
  });

  test("is told by 404 alone: a 400 is an error like any other", async () => {
    const fake = await startFake(
      serveLegacy({ sessions: ["s1"], overrides: { "tools/call": (reply) => reply.status(400, "bad session") } }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "http_status", cause: { status: 400 } });
    expect(fake.methods().filter((method) => method === "initialize")).toHaveLength(1);
  });

  test("is not assumed where there never was one", async () => {
    const fake = await startFake(serveLegacy({ overrides: { "tools/call": (reply) => reply.status(404, "gone") } }));
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "http_status", cause: { status: 404 } });
    expect(fake.methods().filter((method) => method === "initialize")).toHaveLength(1);
  });
});

describe("closing a legacy session", () => {
  test("rejects what is on its way before the server is told", async () => {
    const fake = await startFake(
      serveLegacy({ sessions: ["s1"], overrides: { "tools/call": () => undefined, DELETE: () => undefined } }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });
    await client.connect();
    const call = failureOf(client.callTool("echo"));
    await expect.poll(() => fake.methods().at(-1)).toBe("tools/call");

    const closing = client.close();
    const error = await call;

    expect(error).toMatchObject({ code: "connection_closed" });
    await closing;
  });

  test("leaves its id out of what a server quotes", async () => {
    const fake = await startFake(
      serveLegacy({
        sessions: ["session-secret"],
        overrides: { "tools/call": (reply) => reply.status(400, "session-secret is not welcome") },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy" });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "http_status" });
    expect(error.message).not.toContain("session-secret");
  });
});

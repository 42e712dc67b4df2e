import { describe, expect, test, vi } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";
import { createSseServer } from "./sse-server.js";

describe("a server with the transport of 2024-11-05", () => {
  const refusals: [string, (reply: Reply) => void][] = [
    ["400", (reply) => reply.status(400, "Bad Request")],
    ["404 with a page", (reply) => reply.status(404, "<html>", { "content-type": "text/html" })],
    ["405", (reply) => reply.status(405)],
    ["405 and a JSON-RPC error", (reply) => reply.error(-32600, "Use GET", { status: 405 })],
  ];

  test.each(refusals)("is found when it refuses the handshake with %s", async (_, refuse) => {
    const server = createSseServer({ refuse });
    const fake = await startFake(server.serve);
    const client = openClient(fake.url);

    const connected = await client.connect();
    const { text } = await client.callTool("echo", { text: "hi" });

    expect(connected).toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
    expect(text).toBe("hi");
    expect(fake.methods()).toEqual([
      "server/discover",
      "initialize",
      "GET",
      "initialize",
      "notifications/initialized",
      "tools/list",
      "tools/call",
    ]);
    expect(client.verdict).toEqual({
      era: "legacy",
      protocolVersion: "2024-11-05",
      minimalHeaders: false,
      transport: "sse",
    });
  });

  test("is asked for its stream first when that is known", async () => {
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse", headers: { "x-key": "k" } });

    await client.connect();

    expect(fake.methods().slice(0, 2)).toEqual(["GET", "initialize"]);
    expect(fake.log[0]?.headers.accept).toBe("text/event-stream");
    expect(fake.log.map(({ headers }) => headers["x-key"])).toEqual(Array(4).fill("k"));
    expect(fake.log.slice(1).every(({ path }) => path === "/messages?sessionId=session-secret")).toBe(true);
  });

  test("is asked for its stream first when an earlier client found out", async () => {
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const first = openClient(fake.url);
    await first.connect();
    await first.close();
    const before = fake.log.length;

    const second = openClient({ url: fake.url, prior: first.verdict });
    await second.connect();

    expect(fake.methods()[before]).toBe("GET");
  });

  test("that has become another one since is found out anew", async () => {
    const fake = await startFake(serveModern({ GET: (reply) => reply.status(405) }));
    const prior = { era: "legacy", protocolVersion: "2024-11-05", minimalHeaders: false, transport: "sse" } as const;
    const client = openClient({ url: fake.url, prior });

    const connected = await client.connect();

    expect(connected.era).toBe("modern");
  });

  test("may name its endpoint by a whole address", async () => {
    const fake = await startFake((reply) => {
      server.serve(reply);
    });
    const server = createSseServer({ endpoint: new URL("/messages", fake.url).href });
    const client = openClient({ url: fake.url, transport: "sse" });

    expect((await client.callTool("echo", { text: "hi" })).text).toBe("hi");
  });

  test("delivers notifications, and its pings are answered", async () => {
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const onNotification = vi.fn();
    const client = openClient({ url: fake.url, transport: "sse", onNotification });
    await client.connect();

    server.send({ method: "notifications/tools/list_changed" });
    server.send({ id: "p-1", method: "ping" });

    await vi.waitFor(() => expect(fake.log.at(-1)?.message).toMatchObject({ id: "p-1", result: {} }));
    expect(onNotification).toHaveBeenCalledWith(
      expect.objectContaining({ method: "notifications/tools/list_changed" }),
    );
  });

  test("hears that the client is ready before it is asked anything", async () => {
    let ready = false;
    const early: string[] = [];
    const server = createSseServer({
      overrides: {
        "notifications/initialized": (reply) =>
          void setTimeout(() => {
            ready = true;
            reply.status(202);
          }, 50),
        "tools/list": (reply, send) => {
          if (!ready) early.push("tools/list");
          reply.status(202);
          send({ id: reply.request.message.id, result: { tools: [] } });
        },
      },
    });
    const fake = await startFake(server.serve);

    await openClient({ url: fake.url, transport: "sse" }).connect();

    expect(early).toEqual([]);
  });

  test("loses its stream when the client closes", async () => {
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse" });
    await client.connect();

    await client.close();

    await vi.waitFor(() => expect(server.streams).toEqual([]));
    await vi.waitFor(() => expect(fake.sockets.size).toBe(0));
  });

  test("whose stream breaks off fails what is on its way at once, and is connected to again", async () => {
    const server = createSseServer({
      overrides: {
        "tools/call": (reply, send) => {
          reply.status(202);
          if (server.streams.length > 0 && reply.request.message.params?.arguments?.text !== undefined)
            send({ id: reply.request.message.id, result: { content: [{ type: "text", text: "again" }] } });
          else server.streams.at(-1)?.socket?.destroy();
        },
      },
    });
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse" });
    await client.connect();

    const error = await failureOf(client.callTool("echo"));
    const { text } = await client.callTool("echo", { text: "hi" });

    expect(error).toMatchObject({ name: "MortiseError", code: "stream_ended" });
    expect(text).toBe("again");
    expect(fake.methods().filter((method) => method === "GET")).toHaveLength(2);
  });

  test("that refuses a message fails that request alone, and shows no session id", async () => {
    const server = createSseServer({
      overrides: { "tools/call": (reply) => reply.status(404, "no session session-secret") },
    });
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse" });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "http_status", cause: { status: 404 } });
    expect(error.message).not.toContain("session-secret");
    expect(await client.fetchTools()).toHaveLength(1);
  });

  test("that wants a login for messages says so", async () => {
    const server = createSseServer({
      overrides: { initialize: (reply) => reply.status(401, "", { "www-authenticate": "Bearer" }) },
    });
    const fake = await startFake(server.serve);

    const error = await failureOf(openClient({ url: fake.url, transport: "sse" }).connect());

    expect(error).toMatchObject({ code: "unauthorized", cause: { status: 401, challenge: "Bearer" } });
  });

  test("is reached with a fetch of the caller's own, too", async () => {
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, fetch: globalThis.fetch });

    const { text } = await client.callTool("echo", { text: "hi" });
    await client.close();

    expect(text).toBe("hi");
    await vi.waitFor(() => expect(server.streams).toEqual([]));
  });

  test("may send the client to another address of its own first", async () => {
    const server = createSseServer({ endpoint: "messages" });
    const fake = await startFake((reply) => {
      if (reply.request.path === "/mcp") reply.status(302, "", { location: "/old/sse" });
      else if (reply.request.path === "/old/messages")
        server.serve({ ...reply, request: { ...reply.request, path: "/messages" } });
      else server.serve(reply);
    });

    const { text } = await openClient({ url: fake.url, transport: "sse" }).callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
  });

  test("ends with a message that is too large, which may answer anything", async () => {
    const server = createSseServer({
      overrides: {
        "tools/call": (reply, send) => {
          reply.status(202);
          send({ id: reply.request.message.id, result: { content: [{ type: "text", text: "x".repeat(5_000) }] } });
        },
      },
    });
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse", maxMessageBytes: 4_000 });

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "response_too_large" });
  });

  test("reports an event that is not JSON, and goes on", async () => {
    const { problems, onError } = collectProblems();
    const server = createSseServer();
    const fake = await startFake(server.serve);
    const client = openClient({ url: fake.url, transport: "sse", onError });
    await client.connect();

    server.streams[0]?.write("data: {\n\nevent: other\ndata: x\n\n");
    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
    expect(problems).toEqual([expect.objectContaining({ code: "invalid_response" })]);
  });
});

describe("no transport of 2024-11-05", () => {
  const others: [string, string][] = [
    ["another host", "http://other.test/messages"],
    ["another port", "http://127.0.0.1:1/messages"],
    ["another host without a protocol", "//other.test/messages"],
  ];

  test("is looked for on another origin", async () => {
    const other = await startFake(createSseServer().serve);
    const fake = await startFake((reply) => reply.status(307, "", { location: other.url }));

    const error = await failureOf(openClient({ url: fake.url, transport: "sse" }).connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
    expect(other.log).toEqual([]);
  });

  test.each(others)("is used when the endpoint is on %s", async (_, endpoint) => {
    const server = createSseServer({ endpoint });
    const fake = await startFake(server.serve);

    const error = await failureOf(openClient({ url: fake.url, transport: "sse" }).connect());

    expect(error).toMatchObject({ code: "redirect_refused" });
    expect(fake.methods()).toEqual(["GET"]);
  });

  const gets: [string, (reply: Reply) => void, string][] = [
    ["a page", (reply) => reply.status(200, "<html>", { "content-type": "text/html" }), "invalid_response"],
    ["405", (reply) => reply.status(405), "http_status"],
    ["401", (reply) => reply.status(401), "unauthorized"],
    ["another event first", (reply) => openStream(reply, "data: {}\n\n"), "invalid_response"],
    [
      "an endpoint that is no address",
      (reply) => openStream(reply, "event: endpoint\ndata: http://\n\n"),
      "invalid_response",
    ],
    [
      "a stream that ends",
      (reply) => void reply.response.writeHead(200, { "content-type": "text/event-stream" }).end(),
      "stream_ended",
    ],
  ];

  test.each(gets)("is found when the answer to GET is %s", async (_, get, code) => {
    const fake = await startFake(createSseServer({ get }).serve);

    const error = await failureOf(openClient({ url: fake.url, transport: "sse" }).connect());

    expect(error).toMatchObject({ code });
  });

  test("is waited for no longer than a request may take", async () => {
    const fake = await startFake(createSseServer({ get: (reply) => openStream(reply, ":\n\n") }).serve);

    const error = await failureOf(openClient({ url: fake.url, transport: "sse", timeout: 60 }).connect());

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 60 });
  });

  test("leaves the refusal of the handshake to be told", async () => {
    const fake = await startFake(
      createSseServer({
        get: (reply) => reply.status(404, "no such page"),
        refuse: (reply) => reply.status(404, "speak to me"),
      }).serve,
    );

    const error = await failureOf(openClient(fake.url).connect());

    expect(error).toMatchObject({ code: "initialize_refused", cause: { status: 404 } });
    expect(error.message).toContain("speak to me");
  });

  test("is asked for where Streamable HTTP is set, or another refusal came", async () => {
    const strict = await startFake(createSseServer().serve);
    const busy = await startFake(createSseServer({ refuse: (reply) => reply.status(406) }).serve);

    const choosy = await startFake(
      createSseServer({
        refuse: (reply) => reply.error(-32602, "no", { status: 400, data: { supported: ["2020-01-01"] } }),
      }).serve,
    );

    const refused = await failureOf(openClient({ url: strict.url, transport: "streamable-http" }).connect());
    await failureOf(openClient(busy.url).connect());
    await failureOf(openClient(choosy.url).connect());

    expect(refused).toMatchObject({ code: "initialize_refused" });
    expect([...strict.methods(), ...busy.methods(), ...choosy.methods()]).not.toContain("GET");
  });

  test("is asked for when the session of a newer one is lost", async () => {
    const fake = await startFake(
      serveLegacy({ sessions: ["s1"], overrides: { GET: (reply) => reply.status(405) }, isGone: () => true }),
    );

    await failureOf(openClient({ url: fake.url, era: "legacy" }).connect());

    expect(fake.methods()).not.toContain("GET");
  });

  test("fits a modern server", async () => {
    const fake = await startFake(serveModern());

    const error = await failureOf(openClient({ url: fake.url, transport: "sse", era: "modern" }).connect());

    expect(error).toMatchObject({ code: "invalid_options" });
    expect(fake.log).toEqual([]);
  });

  test("keeps a client from closing while it is waited for", async () => {
    const fake = await startFake(createSseServer({ get: () => undefined }).serve);
    const client = openClient(fake.url);
    const connecting = failureOf(client.connect());
    await vi.waitFor(() => expect(fake.methods()).toContain("GET"));

    await client.close();

    expect(await connecting).toMatchObject({ code: "connection_closed" });
  });
});

function openStream({ response }: Reply, text: string): void {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(text);
}

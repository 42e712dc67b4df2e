import { type HttpOptions, http } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, legacy, opening, PLAIN_HEADERS } from "./fixture.js";
import { openSocket } from "./raw-client.js";

const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));
afterEach(() => expect(strays).toEqual([]));

describe.each(ADAPTERS)("$name", (adapter) => {
  test("keeps a session from its opening to its end", async () => {
    const mounted = await adapter.mount(createFixture().server, { legacy: { sessions: "memory" } });
    const opened = await mounted.send(legacy("initialize", opening("2025-06-18"), { version: undefined }));
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const list = legacy("tools/list", {}, { version: undefined });
    const within = { ...list, headers: { ...list.headers, ...session } };

    const answers = [
      await mounted.send(list),
      await mounted.send(within),
      await mounted.send({ method: "GET", headers: { accept: "text/event-stream", ...session } }),
      await mounted.send({ method: "DELETE", headers: session }),
      await mounted.send(within),
    ];

    await mounted.close();
    expect(answers.map(({ status }) => status)).toEqual([400, 200, 405, 204, 404]);
    expect(answers[2]?.headers.get("allow")).toBe("POST, DELETE, OPTIONS");
  });

  test("stays as it was for a stranger that sends DELETE, GET or a session id without sessions", async () => {
    const mounted = await adapter.mount(createFixture().server);
    const session = { "mcp-session-id": "abc", "last-event-id": "5" };
    const list = legacy("tools/list");

    const refused = await Promise.all(
      ["DELETE", "GET", "PUT"].map((method) => mounted.send({ method, headers: session })),
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => mounted.send({ ...list, headers: { ...list.headers, ...session } })),
    );

    await mounted.close();
    expect(refused.map(({ status }) => status)).toEqual([405, 405, 405]);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect([...refused, ...answers].some(({ headers }) => headers.has("mcp-session-id"))).toBe(false);
  });
});

interface Listening {
  readonly url: string;
  readonly port: number;
  readonly server: MCPServer;
  post(message: object, session?: string, signal?: AbortSignal): Promise<Response>;
  open(): Promise<string>;
}

async function listen(options: HttpOptions["legacy"]): Promise<Listening> {
  const { server } = createFixture();
  server.tool("slow", {}, async (_, { log }) => {
    await log("info", "begun");
    await new Promise((resolve) => setTimeout(resolve, 30));
    return "finished";
  });
  server.tool("greet", {}, async (_, { elicit }) => {
    const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
    const answer = await elicit({ message: "Who?", schema });
    return answer.action === "accept" ? `Hello, ${String(answer.content.name)}` : answer.action;
  });
  const { url, port } = await server.listen(http({ port: 0, legacy: options }));
  const post: Listening["post"] = (message, session, signal) =>
    fetch(url, {
      method: "POST",
      headers: { ...PLAIN_HEADERS, ...(session === undefined ? {} : { "mcp-session-id": session }) },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal === undefined ? {} : { signal }),
    });
  const capabilities = { elicitation: {} };
  const open = async (): Promise<string> => {
    const params = { ...opening("2025-06-18"), capabilities };
    const response = await post({ id: 0, method: "initialize", params });
    await response.text();
    return response.headers.get("mcp-session-id") ?? "";
  };
  return { url, port, server, post, open };
}

function call(name: string, id: number): object {
  return { id, method: "tools/call", params: { name, arguments: {} } };
}

test("nothing that goes wrong on a connection ends a session, or is noticed in another", {
  timeout: 20_000,
}, async () => {
  const { url, port, server, post, open } = await listen({ sessions: "memory", getStream: true });
  const session = await open();
  const other = await open();

  for (let round = 0; round < 20; round += 1) {
    const socket = await openSocket(port);
    socket.on("error", () => undefined);
    socket.write(
      `GET /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session}\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    const leaver = new AbortController();
    const calls = [1, 2].map(async (id) => (await post(call("slow", id), session)).text());
    const left = post(call("slow", 3), session, leaver.signal).then(
      (response) => response.text().catch(() => "left"),
      () => "left",
    );
    server.notify.toolsChanged();
    socket.destroy();
    leaver.abort();

    const [malformed, mistyped, crashed, listed] = await Promise.all([
      fetch(url, { method: "POST", headers: { ...PLAIN_HEADERS, "mcp-session-id": session }, body: "{" }),
      fetch(url, { method: "POST", headers: { "content-type": "text/plain", "mcp-session-id": session }, body: "{}" }),
      post(call("crash", 4), session),
      post({ id: 5, method: "tools/list" }, session),
    ]);

    await Promise.all([malformed.text(), mistyped.text(), crashed.text(), listed.text()]);
    expect(await left).toBe("left");
    expect(listed.status).toBe(200);
    if (round % 5 === 0) for (const text of await Promise.all(calls)) expect(text).toContain("finished");
    const elsewhere = await post({ id: 6, method: "tools/list" }, other);
    await elsewhere.text();
    expect(elsewhere.status).toBe(200);
  }
  await server.close({ drain: 1_000 });
});

test("a question crosses a real connection on the stream of its call", async () => {
  const { server, post, open } = await listen({ sessions: "memory" });
  const session = await open();
  const response = await post(call("greet", 1), session);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const readOn = async (): Promise<void> => {
    text += (await reader?.read())?.value ?? "";
  };
  while (!text.includes("\n\n")) await readOn();
  const { id } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? "{}");

  const answered = await post({ id, result: { action: "accept", content: { name: "Ada" } } }, session);
  while (!text.includes("Hello, Ada")) await readOn();

  expect([response.headers.get("content-type"), answered.status]).toEqual(["text/event-stream", 202]);
  await server.close();
});

test("a server closes while streams of sessions are open", async () => {
  const { url, server, open } = await listen({ sessions: "memory", getStream: true });
  const headers = { accept: "text/event-stream", "mcp-session-id": await open() };
  const streams = await Promise.all([fetch(url, { headers }), fetch(url, { headers })]);

  await server.close({ drain: 5_000 });

  expect(await Promise.all(streams.map((stream) => stream.text()))).toEqual([":\n\n", ":\n\n"]);
});

test("an answer that two clients wait for under one id reaches each of them", async () => {
  const { server, post, open } = await listen({ sessions: "memory" });
  const sessions = await Promise.all([open(), open()]);

  const answers = await Promise.all(
    sessions.map(async (session, index) => {
      const params = { name: "echo", arguments: { text: `caller ${index}` } };
      const response = await post({ id: 1, method: "tools/call", params }, session);
      return (await response.json()) as { result: { content: { text: string }[] } };
    }),
  );

  expect(answers.map(({ result }) => result.content[0]?.text)).toEqual(["caller 0", "caller 1"]);
  await server.close();
});

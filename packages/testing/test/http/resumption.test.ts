import { request as httpRequest, type IncomingMessage } from "node:http";
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { opening } from "./fixture.js";

const VERSION = "2025-11-25";
const servers: MCPServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Listening {
  readonly server: MCPServer;
  readonly url: string;
  readonly session: string;
}

async function listen(getStream = false): Promise<Listening> {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  servers.push(server);
  const legacy = { sessions: "memory", resumable: true, getStream } as const;
  const { url } = await server.listen(http({ port: 0, legacy }));
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: opening(VERSION) });
  const answer = await fetch(url, { method: "POST", headers, body });
  await answer.text();
  return { server, url, session: answer.headers.get("mcp-session-id") ?? "" };
}

/** One connection, and the last id that came on it. */
interface Connection {
  readonly status: number | undefined;
  readonly messages: readonly Record<string, never>[];
  readonly last: string;
  readonly retry: string | undefined;
  readonly ended: boolean;
  cut(): void;
}

/** Sends one request on a connection of its own, and reads events while they come. */
async function connect({ url, session }: Listening, asked: { body?: object; last?: string }): Promise<Connection> {
  const { body, last = "" } = asked;
  const received = { text: "", ended: false };
  const request = httpRequest(url, {
    agent: false,
    method: body === undefined ? "GET" : "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-session-id": session,
      "mcp-protocol-version": VERSION,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(last === "" ? {} : { "last-event-id": last }),
    },
  });
  request.on("error", () => undefined); // it was cut
  request.end(body === undefined ? undefined : JSON.stringify({ jsonrpc: "2.0", ...body }));
  const response = await new Promise<IncomingMessage>((resolve) => request.once("response", resolve));
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    received.text += text;
  });
  response.on("end", () => {
    received.ended = true;
  });
  response.on("error", () => undefined); // it was cut
  const blocks = (): string[] => received.text.split("\n\n").slice(0, -1);
  return {
    status: response.statusCode,
    get messages() {
      return blocks().flatMap((block) => {
        const data = /^data: (.+)$/m.exec(block)?.[1];
        return data === undefined ? [] : [JSON.parse(data)];
      });
    },
    get last() {
      return blocks().reduce((id, block) => /^id: (.+)$/m.exec(block)?.[1] ?? id, last);
    },
    get retry() {
      return /^retry: (.+)$/m.exec(received.text)?.[1];
    },
    get ended() {
      return received.ended;
    },
    cut: () => request.destroy(),
  };
}

const counting = (steps: number): object => ({
  id: 1,
  method: "tools/call",
  params: { name: "count", arguments: { steps }, _meta: { progressToken: 1 } },
});

function addCount(server: MCPServer): { ran: number } {
  const counted = { ran: 0 };
  server.tool("count", { input: { type: "object" } }, async (args, { progress, signal }) => {
    counted.ran += 1;
    const { steps } = args as { steps: number }; // as the test sends it
    for (let step = 1; step <= steps; step += 1) {
      await progress(step);
      if (step % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return signal.aborted ? "aborted" : "counted";
  });
  return counted;
}

describe("a stream on a socket", () => {
  test("is cut at any time and gone on with, with nothing lost and nothing twice", async () => {
    const listening = await listen();
    const counted = addCount(listening.server);
    const messages: Record<string, never>[] = [];
    let connection = await connect(listening, { body: counting(60) });
    for (let round = 1; ; round += 1) {
      await vi.waitFor(() => expect(connection.last).not.toBe(""));
      if (round % 3 === 0) await vi.waitFor(() => expect(connection.messages).not.toEqual([]));
      else await new Promise((resolve) => setTimeout(resolve, round % 5));
      connection.cut();
      const seen = connection.messages; // what comes after this is as good as lost
      const { last } = connection;
      messages.push(...seen);
      if (seen.some((message) => "result" in message)) break;
      connection = await connect(listening, { last });
      expect(connection.status).toBe(200);
    }

    const progress = messages.slice(0, -1) as unknown as { params: { progress: number } }[];
    expect(progress.map(({ params }) => params.progress)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
    expect(messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: "counted" }] } });
    expect(counted.ran).toBe(1);
  });

  test("is closed by the handler and fetched later", async () => {
    const listening = await listen();
    listening.server.tool("poll", {}, async (_, { closeStream }) => {
      closeStream({ retry: 30 });
      await new Promise((resolve) => setTimeout(resolve, 20));
      return "polled";
    });

    const first = await connect(listening, { body: { id: 1, method: "tools/call", params: { name: "poll" } } });
    await vi.waitFor(() => expect(first.ended).toBe(true));
    const second = await connect(listening, { last: first.last });
    await vi.waitFor(() => expect(second.ended).toBe(true));

    expect([first.retry, first.messages]).toEqual(["30", []]);
    expect(second.messages).toMatchObject([{ id: 1, result: { content: [{ text: "polled" }] } }]);
  });

  test("of a session is cut and gone on with", async () => {
    const listening = await listen(true);
    const { server } = listening;
    server.tool("first", {}, () => "");
    let connection = await connect(listening, {});
    const seen: unknown[] = [];
    for (let round = 0; round < 5; round += 1) {
      await vi.waitFor(() => expect(connection.last).not.toBe(""));
      const { last } = connection;
      connection.cut();
      server.notify.toolsChanged();
      connection = await connect(listening, { last });
      await vi.waitFor(() => expect(connection.messages).toHaveLength(1));
      seen.push(...connection.messages);
    }

    expect(seen).toMatchObject(Array.from({ length: 5 }, () => ({ method: "notifications/tools/list_changed" })));
    connection.cut();
  });

  test("holds neither the server nor the process when its client never comes back", async () => {
    const listening = await listen(true);
    addCount(listening.server);
    const [own, answer] = [await connect(listening, {}), await connect(listening, { body: counting(20) })];
    await vi.waitFor(() => expect(answer.messages.length).toBeGreaterThan(1));
    own.cut();
    answer.cut();

    await listening.server.close();

    expect(listening.server.inside.core.changes.size).toBe(0);
  });
});

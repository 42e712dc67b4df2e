import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeHttpHandler, type NodeHandlerOptions } from "@mortise/node";
import type { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createFixture, opening } from "./fixture.js";

const SSE = { sse: { path: "/sse", messagePath: "/messages" } };
const listeners: Server[] = [];

afterEach(async () => {
  for (const listener of listeners.splice(0)) {
    listener.closeAllConnections();
    await new Promise((resolve) => listener.close(resolve));
  }
});

/** Mounts a handler as a framework does: the prefix is cut off the address. */
async function mount(server: MCPServer, options: NodeHandlerOptions = {}, prefix = ""): Promise<number> {
  const handler = createNodeHttpHandler(server, { legacy: SSE, ...options });
  const listener = createServer((request, response) => {
    const originalUrl = request.url ?? "";
    if (originalUrl.startsWith(prefix)) Object.assign(request, { originalUrl, url: originalUrl.slice(prefix.length) });
    handler(request, response);
  });
  listeners.push(listener);
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return (listener.address() as AddressInfo).port;
}

/** A client of the transport, on a real connection. */
interface Client {
  readonly endpoint: URL;
  /** Everything that came so far. */
  readonly text: string;
  readonly ended: boolean;
  post(message: object): Promise<number>;
  /** Cuts the connection of the stream. */
  cut(): void;
}

async function connect(port: number, path = "/sse"): Promise<Client> {
  const received = { text: "", ended: false };
  const url = new URL(path, `http://127.0.0.1:${port}`);
  const request = httpRequest(url, { headers: { accept: "text/event-stream" }, agent: false });
  request.on("error", () => undefined); // it was cut
  request.end();
  const response = await new Promise<IncomingMessage>((resolve) => request.once("response", resolve));
  response.setEncoding("utf8");
  response.on("data", (text: string) => {
    received.text += text;
  });
  response.on("end", () => {
    received.ended = true;
  });
  response.on("error", () => undefined); // it was cut
  await vi.waitFor(() => expect(received.text).toContain("\n\n"));
  const endpoint = new URL(/^event: endpoint\ndata: (.+)\n\n/.exec(received.text)?.[1] ?? "", url);
  return {
    endpoint,
    get text() {
      return received.text;
    },
    get ended() {
      return received.ended;
    },
    async post(message) {
      const body = JSON.stringify({ jsonrpc: "2.0", ...message });
      const answer = await fetch(endpoint, { method: "POST", headers: { "content-type": "application/json" }, body });
      await answer.text();
      return answer.status;
    },
    cut: () => request.destroy(),
  };
}

describe("the HTTP+SSE transport on a socket", () => {
  test.each(["", "/api/v1"])("is found behind the mount point %j", async (prefix) => {
    const port = await mount(createFixture().server, {}, prefix);

    const client = await connect(port, `${prefix}/sse`);
    const status = await client.post({ id: 1, method: "initialize", params: opening("2024-11-05") });

    await vi.waitFor(() => expect(client.text).toContain('event: message\ndata: {"jsonrpc":"2.0","id":1'));
    expect(status).toBe(202);
    expect(client.endpoint.pathname).toBe(`${prefix}/messages`);
    client.cut();
  });

  test("does not tell of another host, whatever address it was asked at", async () => {
    const port = await mount(createFixture().server, {}, "//evil.example");

    const client = await connect(port, `http://127.0.0.1:${port}//evil.example/sse`);

    expect(client.endpoint.host).toBe(`127.0.0.1:${port}`);
    client.cut();
  });

  test("answers many calls at the same time, each once", async () => {
    const port = await mount(createFixture().server);
    const client = await connect(port);
    await client.post({ id: "open", method: "initialize", params: opening("2024-11-05") });
    const ids = Array.from({ length: 30 }, (_, index) => index + 1);

    const statuses = await Promise.all(
      ids.map((id) => client.post({ id, method: "tools/call", params: { name: "later", arguments: { ms: id % 4 } } })),
    );

    await vi.waitFor(() => {
      const answered = [...client.text.matchAll(/"id":(\d+),/g)].map(([, id]) => Number(id));
      expect(answered.toSorted((a, b) => a - b)).toEqual(ids);
    });
    expect(new Set(statuses)).toEqual(new Set([202]));
    client.cut();
  });

  test.each(["abort", "continue"] as const)("learns that its client is gone: %s", async (legacy) => {
    const { server } = createFixture();
    const signals: AbortSignal[] = [];
    server.tool("hold", {}, (_, { signal }) => {
      signals.push(signal);
      return new Promise<string>((resolve) => signal.addEventListener("abort", () => resolve("")));
    });
    const port = await mount(server, { onDisconnect: { legacy } });
    const client = await connect(port);
    await client.post({ id: 1, method: "initialize", params: opening("2024-11-05") });
    await client.post({ id: 2, method: "tools/call", params: { name: "hold" } });
    await vi.waitFor(() => expect(signals).toHaveLength(1));

    client.cut();

    await vi.waitFor(async () => expect(await client.post({ id: 3, method: "ping" })).toBe(404));
    expect(signals[0]?.aborted).toBe(legacy === "abort");
    await server.close();
  });

  test("ends its streams with the server", async () => {
    const { server } = createFixture();
    const client = await connect(await mount(server));

    await server.close();

    await vi.waitFor(() => expect(client.ended).toBe(true));
  });
});

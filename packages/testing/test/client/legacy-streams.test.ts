import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpOptions, MCPClient } from "@mortise/client";
import { createNodeHttpHandler, type NodeHandlerOptions, type SessionRecord, type SessionStore } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { describe, expect, onTestFinished, test, vi } from "vitest";

interface Served {
  readonly server: MCPServer;
  readonly listener: Server;
  readonly origin: string;
  /** HTTP methods of the requests, in order. */
  readonly methods: string[];
}

async function serve(legacy: NodeHandlerOptions["legacy"]): Promise<Served> {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("echo", {}, () => "hi");
  const methods: string[] = [];
  const handler = createNodeHttpHandler(server, { legacy });
  const listener = createServer((request, response) => {
    methods.push(request.method ?? "");
    handler(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    await server.close();
    listener.closeAllConnections();
    listener.close();
  });
  return { server, listener, methods, origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}` };
}

function open(options: HttpOptions): MCPClient {
  const client = new MCPClient(options);
  onTestFinished(() => client.close());
  return client;
}

describe("a legacy client of a server with streams", () => {
  test("hears of changes on its own stream", async () => {
    const { server, origin, methods } = await serve({ sessions: "memory", getStream: true });
    const onNotification = vi.fn();
    const client = open({ url: `${origin}/mcp`, era: "legacy", onNotification });
    await client.connect();
    await vi.waitFor(() => expect(methods).toContain("GET"));

    await vi.waitFor(() => {
      server.notify.toolsChanged();
      expect(onNotification).toHaveBeenCalledWith(
        expect.objectContaining({ method: "notifications/tools/list_changed" }),
      );
    });
  });

  test("gets an answer whose stream the server closed on purpose", async () => {
    const { server, origin, methods } = await serve({ sessions: "memory", resumable: true });
    server.tool("report", {}, async (_, ctx) => {
      ctx.closeStream({ retry: 20 });
      await vi.waitFor(() => expect(methods).toContain("GET"));
      return "done";
    });
    const client = open({ url: `${origin}/mcp`, era: "legacy" });

    const { text } = await client.callTool("report");

    expect(text).toBe("done");
  });

  test("gets an answer although the connection was cut, and the tool ran once", async () => {
    const { server, listener, origin, methods } = await serve({ sessions: "memory", resumable: true });
    const ran = vi.fn();
    server.tool("report", {}, async (_, ctx) => {
      ran();
      await ctx.progress(1, 2);
      await vi.waitFor(() => expect(methods).toContain("GET"), { timeout: 5_000 });
      return "done";
    });
    const client = open({ url: `${origin}/mcp`, era: "legacy" });

    const { text } = await client.callTool("report", {}, { onProgress: () => listener.closeAllConnections() });

    expect(text).toBe("done");
    expect(ran).toHaveBeenCalledTimes(1);
  });

  test("misses nothing while its stream is broken", async () => {
    const { server, listener, origin, methods } = await serve({ sessions: "memory", getStream: true, resumable: true });
    const onNotification = vi.fn();
    const client = open({ url: `${origin}/mcp`, era: "legacy", onNotification });
    await client.connect();
    await vi.waitFor(() => {
      server.notify.toolsChanged();
      expect(onNotification).toHaveBeenCalled();
    });
    await pauseUntilQuiet(onNotification);
    const before = onNotification.mock.calls.length;

    listener.closeAllConnections();
    server.notify.toolsChanged();

    await vi.waitFor(() => expect(onNotification.mock.calls.length).toBeGreaterThan(before), { timeout: 5_000 });
    expect(methods.filter((method) => method === "GET").length).toBeGreaterThan(1);
  });

  test("goes on in a new session when the server has forgotten the old one", async () => {
    const store = createStore();
    const { server, origin } = await serve({ sessions: store, getStream: true });
    const onNotification = vi.fn();
    const client = open({ url: `${origin}/mcp`, era: "legacy", onNotification });
    await client.connect();

    for (const id of store.ids()) store.delete(id);
    const { text } = await client.callTool("echo");

    expect(text).toBe("hi");
    await vi.waitFor(() => {
      server.notify.toolsChanged();
      expect(onNotification).toHaveBeenCalled();
    });
  });
});

describe("a client of the transport of 2024-11-05", () => {
  const legacy = { sse: { path: "/sse", messagePath: "/messages" } };

  test.each(["auto", "sse"] as const)("calls, is asked, and hears of changes, with transport %s", async (transport) => {
    const { server, origin } = await serve(legacy);
    server.tool("ask", {}, async (_, ctx) => JSON.stringify((await ctx.listRoots()).roots));
    const onNotification = vi.fn();
    const client = open({
      url: `${origin}/sse`,
      transport,
      onNotification,
      onRoots: () => [{ uri: "file:///work", name: "work" }],
    });

    await client.connect();
    const { text } = await client.callTool("ask");
    server.notify.toolsChanged();

    expect(JSON.parse(text)).toEqual([{ uri: "file:///work", name: "work" }]);
    await vi.waitFor(() =>
      expect(onNotification).toHaveBeenCalledWith(
        expect.objectContaining({ method: "notifications/tools/list_changed" }),
      ),
    );
  });

  test("is connected again after the server lost its stream", async () => {
    const { listener, origin } = await serve(legacy);
    const client = open({ url: `${origin}/sse`, transport: "sse" });
    await client.connect();

    listener.closeAllConnections();
    const first = await client.callTool("echo").catch((error: unknown) => error);
    const { text } = await client.callTool("echo");

    expect(first === undefined).toBe(false);
    expect(text).toBe("hi");
  });
});

/** Waits until what was announced before has arrived. */
async function pauseUntilQuiet(mock: ReturnType<typeof vi.fn>): Promise<void> {
  let seen = -1;
  while (seen !== mock.mock.calls.length) {
    seen = mock.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function createStore(): SessionStore & { ids(): string[] } {
  const records = new Map<string, SessionRecord>();
  return {
    ids: () => [...records.keys()],
    get: (id) => records.get(id),
    set: (id, record) => void records.set(id, record),
    delete: (id) => records.delete(id),
  };
}

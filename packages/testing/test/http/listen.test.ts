import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Sent } from "./adapters.js";
import { modern } from "./fixture.js";
import { type OpenStream, STREAM_ADAPTERS, type StreamMount } from "./open-stream.js";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

function listening(notifications: object, id: unknown = 1): Sent {
  return modern("subscriptions/listen", { notifications }, { id });
}

function createServer(): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", tools: [], prompts: [] });
  server.tool("grow", {}, () => {
    server.notify.toolsChanged();
    return "grown";
  });
  return server;
}

function methods({ messages }: OpenStream): unknown[] {
  return messages.map(({ method, id }) => method ?? id);
}

describe.each(STREAM_ADAPTERS)("$name", (adapter) => {
  const mounts: StreamMount[] = [];

  async function mount(...args: Parameters<typeof adapter.mount>): Promise<StreamMount> {
    const mounted = await adapter.mount(...args);
    mounts.push(mounted);
    return mounted;
  }

  /** Opens a stream and waits for its acknowledgement. */
  async function start(mounted: StreamMount, notifications: object, id: unknown = 1): Promise<OpenStream> {
    const stream = await mounted.open(listening(notifications, id));
    await vi.waitFor(() => expect(stream.messages).toHaveLength(1));
    return stream;
  }

  afterEach(async () => {
    await Promise.all(mounts.splice(0).map((mounted) => mounted.close()));
  });

  test("answers a request to listen with an event stream that begins with the acknowledgement", async () => {
    const stream = await start(await mount(createServer()), { toolsListChanged: true }, "listen");

    expect(stream.status).toBe(200);
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    expect(stream.headers.get("x-accel-buffering")).toBe("no");
    expect(stream.messages).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { _meta: { [SUBSCRIPTION]: "listen" }, notifications: { toolsListChanged: true } },
      },
    ]);
  });

  test("tells every listener, and only of what it asked for, of a change that another connection makes", async () => {
    const server = createServer();
    const mounted = await mount(server);
    const [tools, prompts, both] = [
      await start(mounted, { toolsListChanged: true }, 0),
      await start(mounted, { promptsListChanged: true }, 0),
      await start(mounted, ALL, "0"),
    ];

    const call = await mounted.open(modern("tools/call", { name: "grow", arguments: {} }));

    await vi.waitFor(() => expect(methods(both)).toContain("notifications/tools/list_changed"));
    await vi.waitFor(() => expect(methods(tools)).toContain("notifications/tools/list_changed"));
    await vi.waitFor(() => expect(call.ended).toBe(true));
    expect(methods(prompts)).toEqual(["notifications/subscriptions/acknowledged"]);
    expect(tools.messages[1]?.params._meta[SUBSCRIPTION]).toBe(0);
    expect(both.messages[1]?.params._meta[SUBSCRIPTION]).toBe("0");
  });

  test("ends a stream with its result when the server closes", async () => {
    const server = createServer();
    const stream = await start(await mount(server), ALL, "s");

    await server.close();
    await vi.waitFor(() => expect(stream.ended).toBe(true));

    expect(stream.messages.at(-1)).toMatchObject({
      id: "s",
      result: { resultType: "complete", _meta: { [SUBSCRIPTION]: "s" } },
    });
  });

  test.each(["abort", "continue"] as const)(
    "forgets a listener that has left (onDisconnect.modern: %s)",
    async (policy) => {
      const server = createServer();
      const mounted = await mount(server, { onDisconnect: { modern: policy } });
      const [leaving, staying] = [await start(mounted, ALL), await start(mounted, { toolsListChanged: true })];

      leaving.leave();
      await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(1));
      server.notify.toolsChanged();

      await vi.waitFor(() => expect(methods(staying)).toContain("notifications/tools/list_changed"));
      expect(server.inside.core.changes.size).toBe(1);
    },
  );

  test("forgets a listener that leaves while middleware still holds it up", async () => {
    const server = createServer();
    let go: (() => void) | undefined;
    server.use(async (_, next) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      return next();
    });
    const mounted = await mount(server, { onDisconnect: { modern: "continue" } });
    void mounted.open(listening(ALL)).catch(() => undefined);
    await vi.waitFor(() => expect(go).toBeDefined());

    await mounted.abandon();
    await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(0));
    go?.();
    await new Promise((resolve) => setTimeout(resolve, 5));

    expect(server.inside.core.changes.size).toBe(0);
  });

  test("keeps a quiet stream open with comments, and ends them with it", async () => {
    const server = createServer();
    const stream = await start(await mount(server, { keepAlive: 30 }), ALL);

    await vi.waitFor(() => expect(stream.text.match(/^:$/gm)?.length).toBeGreaterThanOrEqual(2));
    await server.close();
    await vi.waitFor(() => expect(stream.ended).toBe(true));

    expect(stream.text.startsWith("data: ")).toBe(true);
    expect(stream.text.slice(stream.text.lastIndexOf("data: "))).not.toMatch(/^:/m);
    expect(stream.text).not.toContain("ping");
  });

  test("refuses to listen for a client that reads no events, and says so", async () => {
    const mounted = await mount(createServer());
    const request = listening(ALL, 5);

    const refused = await mounted.open({ ...request, headers: { ...request.headers, accept: "application/json" } });
    await vi.waitFor(() => expect(refused.ended).toBe(true));

    expect(refused.status).toBe(406);
    expect(refused.messages).toMatchObject([{ id: 5, error: { code: -32600 } }]);
  });

  test("has no such method, and promises no notices, where the policy allows no streams", async () => {
    const mounted = await mount(createServer(), { responseMode: "json" });

    const refused = await mounted.open(listening(ALL));
    const discovered = await mounted.open(modern("server/discover"));
    await vi.waitFor(() => expect([refused.ended, discovered.ended]).toEqual([true, true]));

    expect(refused.status).toBe(404);
    expect(refused.messages).toMatchObject([{ error: { code: -32601 } }]);
    expect(discovered.messages[0]?.result.capabilities).toEqual({ logging: {}, tools: {}, prompts: {} });
  });

  test("promises the notices that it delivers, whatever the one who asks accepts", async () => {
    const mounted = await mount(createServer());
    const request = modern("server/discover");

    const discovered = await mounted.open({ ...request, headers: { ...request.headers, accept: "application/json" } });
    await vi.waitFor(() => expect(discovered.ended).toBe(true));

    expect(discovered.messages[0]?.result.capabilities).toEqual({
      logging: {},
      tools: { listChanged: true },
      prompts: { listChanged: true },
    });
  });

  test("answers a filter that cannot be read with an error and no stream", async () => {
    const mounted = await mount(createServer());

    const refused = await mounted.open(listening({ toolsListChanged: "yes" }));
    await vi.waitFor(() => expect(refused.ended).toBe(true));

    expect(refused.status).toBe(400);
    expect(refused.messages).toMatchObject([{ id: 1, error: { code: -32602 } }]);
  });

  test("holds nothing after a thousand streams have come and gone", async () => {
    const server = createServer();
    const mounted = await mount(server);
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);

    for (let round = 0; round < 20; round += 1) {
      const streams = await Promise.all(Array.from({ length: 50 }, (_, id) => start(mounted, ALL, id)));
      server.notify.toolsChanged();
      await vi.waitFor(() => expect(streams.every(({ messages }) => messages.length === 2)).toBe(true));
      for (const stream of streams) stream.leave();
    }
    await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(0));

    process.off("warning", onWarning);
    expect(server.inside.core.changes.size).toBe(0);
    expect(warnings).toEqual([]);
  });
});

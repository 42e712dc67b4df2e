import { createHttpHandler } from "@mortise/http";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";

const strays: unknown[] = [];
process.on("unhandledRejection", (error) => strays.push(error));
afterEach(() => expect(strays).toEqual([]));

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function createServer(): MCPServer {
  const server = new MCPServer({ name: "fixture", version: "1.0.0" });
  server.tool("echo", { input: { type: "object" } }, (args) => JSON.stringify(args));
  server.tool("tell", {}, (_, { auth, context }) => ({ auth, context }));
  return server;
}

interface Call {
  readonly init?: RequestInit & { duplex?: "half" };
  readonly arguments?: object;
  readonly progressToken?: unknown;
}

function call(name: string, { init = {}, arguments: args = {}, progressToken }: Call = {}): Request {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    ...(progressToken === undefined ? {} : { progressToken }),
  };
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: args, _meta: meta },
    }),
    ...init,
  });
}

describe("createHttpHandler", () => {
  test("tells which paths are its own", () => {
    const handler = createHttpHandler(createServer(), { path: "/api/mcp" });

    expect([handler.matches("/api/mcp"), handler.matches("/mcp"), handler.matches("/api/mcp/")]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("takes every path with a star", async () => {
    const handler = createHttpHandler(createServer(), { path: "*" });

    const response = await handler(new Request("http://localhost/anything", call("echo")));

    expect([handler.matches("/x"), response.status]).toEqual([true, 200]);
  });

  test("refuses a body that was read, and one that is locked", async () => {
    const handler = createHttpHandler(createServer());
    const read = call("echo");
    await read.text();
    const locked = call("echo");
    locked.body?.getReader();

    const responses = [await handler(read), await handler(locked)];

    expect(responses.map(({ status }) => status)).toEqual([500, 500]);
  });

  test("takes a parsed body, and what else is known about the request", async () => {
    const handler = createHttpHandler(createServer());
    const request = call("tell");
    const parsedBody: unknown = await request.json();

    const response = await handler.handle(request, { parsedBody, auth: { user: "ada" }, context: { trace: 5 } });

    const { result } = await response.json();
    expect(result.structuredContent).toEqual({ auth: { user: "ada" }, context: { trace: 5 } });
  });

  test("lets go of a body that grows beyond the limit", async () => {
    const handler = createHttpHandler(createServer(), { maxMessageBytes: 1_000 });
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(400).fill(0x20));
      },
      cancel() {
        cancelled = true;
      },
    });

    const response = await handler(call("echo", { init: { body: endless, duplex: "half" } }));

    expect(response.status).toBe(413);
    expect(pulled).toBeLessThan(6);
    expect(cancelled).toBe(true);
  });

  test("joins a body that comes in pieces, cut inside a character", async () => {
    const handler = createHttpHandler(createServer());
    const bytes = new Uint8Array(await call("echo", { arguments: { text: "größe 🙂" } }).arrayBuffer());
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });

    const response = await handler(call("echo", { init: { body: pieces, duplex: "half" } }));

    expect(await response.text()).toContain("größe 🙂");
  });

  test("answers a request without a body", async () => {
    const handler = createHttpHandler(createServer());

    const response = await handler(call("echo", { init: { body: null } }));

    expect(response.status).toBe(400);
  });

  test("ends an event stream with the result, and leaves no timer behind", async () => {
    const server = createServer();
    server.tool("count", {}, async (_, context) => {
      for (let step = 1; step <= 2; step += 1) {
        await wait(5);
        await context.progress(step);
      }
      return "counted";
    });
    const handler = createHttpHandler(server);
    const before = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

    const response = await handler(call("count", { progressToken: 1 }));
    const text = await response.text();

    expect(text.match(/^data: /gm)).toHaveLength(3);
    const after = process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
    expect(after).toBeLessThanOrEqual(before);
  });

  test.each([
    {
      title: "whose body is cancelled",
      leave: async (response: Promise<Response>) => {
        const reader = (await response).body?.getReader();
        await reader?.read();
        await reader?.cancel();
      },
    },
    {
      title: "whose request is aborted",
      leave: async (response: Promise<Response>, controller: AbortController) => {
        await response;
        controller.abort();
      },
    },
  ])("aborts a call $title, and nothing breaks", async ({ leave }) => {
    const server = createServer();
    const seen = { steps: 0, aborted: false };
    server.tool("step", {}, async (_, context) => {
      while (seen.steps < 20 && !context.signal.aborted) {
        await wait(10);
        seen.steps += 1;
        void context.progress(seen.steps);
      }
      seen.aborted = context.signal.aborted;
      return "stepped";
    });
    const handler = createHttpHandler(server);
    const controller = new AbortController();

    await leave(handler(call("step", { init: { signal: controller.signal }, progressToken: 1 })), controller);
    await vi.waitFor(() => expect(seen.aborted).toBe(true), { timeout: 5_000 });

    expect(seen.steps).toBeLessThan(20);
  });

  test("aborts a call whose request is aborted before anything was sent", async () => {
    const server = createServer();
    let started = false;
    let aborted = false;
    server.tool("wait", {}, (_, { signal }) => {
      started = true;
      return new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => {
          aborted = true;
          resolve("gone");
        });
      });
    });
    const controller = new AbortController();

    void createHttpHandler(server)(call("wait", { init: { signal: controller.signal } }));
    await vi.waitFor(() => expect(started).toBe(true), { timeout: 5_000 });
    controller.abort();

    await vi.waitFor(() => expect(aborted).toBe(true), { timeout: 5_000 });
  });

  test("keeps what waits for a slow reader small when the handler waits, too", async () => {
    const server = createServer();
    let sent = 0;
    server.tool("flood", {}, async (_, context) => {
      for (let step = 1; step <= 1_000; step += 1) {
        await context.progress(step, 1_000, "x".repeat(1_000));
        sent = step;
      }
      return "flooded";
    });

    const response = await createHttpHandler(server)(call("flood", { progressToken: 1 }));
    await wait(50);
    const sentUnread = sent;
    const text = await response.text();

    expect(sentUnread).toBeLessThan(300);
    expect(text.match(/notifications\/progress/g)).toHaveLength(1_000);
    expect(text).toContain("flooded");
  });

  test("serves where there are no timers", async () => {
    const { setInterval: saved } = globalThis;
    // A runtime without timers is imitated by taking them away while the handler is made and used.
    Reflect.deleteProperty(globalThis, "setInterval");
    try {
      const response = await createHttpHandler(createServer())(call("echo"));

      expect(response.status).toBe(200);
    } finally {
      globalThis.setInterval = saved;
    }
  });
});

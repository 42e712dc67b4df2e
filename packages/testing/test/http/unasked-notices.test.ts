import type { HandlerContext } from "@mortise/server";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Sent } from "./adapters.js";
import { legacy, modern } from "./fixture.js";
import { type OpenStream, STREAM_ADAPTERS, type StreamMount } from "./open-stream.js";

const LEVELS = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;
const LOG_LEVEL = "io.modelcontextprotocol/logLevel";

/** Everything whose handler can send notices, and the request that runs it. */
const KINDS = [
  { kind: "a tool", method: "tools/call", params: { name: "talk", arguments: {} }, name: "talk" },
  { kind: "a prompt", method: "prompts/get", params: { name: "talk" }, name: "talk" },
  { kind: "a resource", method: "resources/read", params: { uri: "test://talk" }, name: "test://talk" },
] as const;

interface Fixture {
  readonly server: MCPServer;
  /** What became of the handlers that ran. */
  readonly runs: { readonly signal: AbortSignal; finish(): void }[];
}

/** A server whose handlers say everything that they can, and go on saying it once they have answered. */
function createTalkative(): Fixture {
  const server = new MCPServer({ name: "test", version: "1" });
  const runs: Fixture["runs"] = [];
  const talk = (context: HandlerContext): void => {
    for (const level of LEVELS) void context.log(level, "hear, hear");
    void context.progress(1, 2);
    void context.progress(2, 2);
  };
  const answer = async (context: HandlerContext): Promise<string> => {
    talk(context);
    setTimeout(() => talk(context), 0);
    return "done";
  };
  const wait = (context: HandlerContext): Promise<string> =>
    new Promise((resolve) => {
      runs.push({ signal: context.signal, finish: () => resolve("late") });
    });
  server.tool("talk", {}, (_, context) => answer(context));
  server.prompt("talk", {}, (_, context) => answer(context));
  server.resource("test://talk", {}, (_, context) => answer(context));
  server.tool("wait", {}, (_, context) => wait(context));
  server.prompt("wait", {}, (_, context) => wait(context));
  server.resource("test://wait", {}, (_, context) => wait(context));
  return { server, runs };
}

function ask(kind: (typeof KINDS)[number], meta: Record<string, unknown> = {}): Sent {
  const { method, params, name } = kind;
  return modern(method, params, { meta, headers: { "mcp-name": name } });
}

function askToWait(kind: (typeof KINDS)[number]): Sent {
  const { method, params, name } = JSON.parse(JSON.stringify(kind).replaceAll("talk", "wait"));
  return modern(method, params, { headers: { "mcp-name": name } });
}

function methods({ messages }: OpenStream): unknown[] {
  return messages.map(({ method, id }) => method ?? id);
}

describe.each(STREAM_ADAPTERS)("$name", (adapter) => {
  const mounts: StreamMount[] = [];

  async function start(): Promise<Fixture & { readonly mounted: StreamMount }> {
    const fixture = createTalkative();
    const mounted = await adapter.mount(fixture.server);
    mounts.push(mounted);
    return { ...fixture, mounted };
  }

  async function complete(mounted: StreamMount, request: Sent): Promise<OpenStream> {
    const stream = await mounted.open(request);
    await vi.waitFor(() => expect(stream.ended).toBe(true));
    return stream;
  }

  afterEach(async () => {
    await Promise.all(mounts.splice(0).map((mounted) => mounted.close()));
  });

  describe.each(KINDS)("$kind", (kind) => {
    test("sends nothing but its answer to a modern caller that asked for nothing else", async () => {
      const { mounted } = await start();

      const answer = await complete(mounted, ask(kind));

      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(methods(answer)).toEqual([1]);
    });

    test("sends the messages and the progress that a modern caller asked for, before the answer and never after", async () => {
      const { mounted } = await start();

      const answer = await complete(mounted, ask(kind, { [LOG_LEVEL]: "alert", progressToken: "p" }));

      expect(methods(answer)).toEqual([
        "notifications/message",
        "notifications/message",
        "notifications/progress",
        "notifications/progress",
        1,
      ]);
    });

    test("sends no progress to a legacy caller that gave no token", async () => {
      const { mounted } = await start();

      const answer = await complete(mounted, legacy(kind.method, kind.params));

      expect(methods(answer)).not.toContain("notifications/progress");
      expect(methods(answer).at(-1)).toBe(1);
    });

    test("is told by its signal that a modern caller has left, and nobody is sent what it answers", async () => {
      const { mounted, runs, server } = await start();
      void mounted.open(askToWait(kind)).catch(() => undefined);
      await vi.waitFor(() => expect(runs).toHaveLength(1));

      await mounted.abandon();

      await vi.waitFor(() => expect(runs[0]?.signal.aborted).toBe(true));
      runs[0]?.finish();
      await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(0));
    });
  });
});

describe.each(KINDS)("$kind on a pipe", (kind) => {
  async function connect(server: MCPServer): Promise<{
    readonly received: { id?: unknown; method?: string }[];
    send: Send;
  }> {
    const received: { id?: unknown; method?: string }[] = [];
    const connection = server.connectPipe({
      transport: "memory",
      write: (text) => void received.push(JSON.parse(text)),
    });
    return { received, send: (message) => connection.receive(message) };
  }

  test("sends nothing but its answer to a modern caller that asked for nothing else", async () => {
    const { server } = createTalkative();
    const { received, send } = await connect(server);

    send(JSON.parse(String(ask(kind).body)));
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect(received).toMatchObject([{ id: 1, result: {} }]);
  });

  test("that is cancelled sends nothing at all, though its handler does not listen to its signal", async () => {
    const { server, runs } = createTalkative();
    const { received, send } = await connect(server);
    send(JSON.parse(String(askToWait(kind).body)));
    await vi.waitFor(() => expect(runs).toHaveLength(1));

    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
    runs[0]?.finish();
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect(runs[0]?.signal.aborted).toBe(true);
    expect(received).toEqual([]);
  });
});

type Send = (message: unknown) => void;

import { MortiseError } from "@mortise/core";
import { describe, expect, test } from "vitest";
import { createFakePipe, type FakePipe, type PipeReply } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { DISCOVERED } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

function serveModernPipe(onCall: (reply: PipeReply) => void): FakePipe {
  return createFakePipe((reply) => {
    const { method } = reply.message;
    if (method === "server/discover") reply.result(DISCOVERED);
    else if (method === "tools/list") reply.result({ tools: [] });
    else if (method === "tools/call") onCall(reply);
  });
}

const done = ({ result }: PipeReply): void => result({ content: [{ type: "text", text: "ok" }] });

describe("requests on a pipe", () => {
  test("are answered in any order", async () => {
    const held: PipeReply[] = [];
    const pipe = serveModernPipe((reply) => {
      held.push(reply);
      if (held.length === 3)
        for (const entry of held.reverse())
          entry.result({ content: [{ type: "text", text: String(entry.message.params?.arguments?.n) }] });
    });
    const client = openClient({ transport: pipe });

    const results = await Promise.all([1, 2, 3].map((n) => client.callTool("x", { n })));

    expect(results.map(({ text }) => text)).toEqual(["1", "2", "3"]);
  });

  test("carry the envelope, and progress goes to the one it belongs to", async () => {
    const seen: unknown[] = [];
    const pipe = serveModernPipe((reply) => {
      reply.pipe.emit({
        jsonrpc: "2.0",
        method: "notifications/progress",
        params: { progressToken: reply.message.id, progress: 1 },
      });
      done(reply);
    });
    const client = openClient({ transport: pipe, clientInfo: { name: "me", version: "2" } });

    await client.callTool("x", {}, { onProgress: ({ progress }) => void seen.push(["a", progress]) });
    await client.callTool("x");

    expect(seen).toEqual([["a", 1]]);
    expect(pipe.log.at(-1)?.params?._meta).toEqual({
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "me", version: "2" },
      "io.modelcontextprotocol/clientCapabilities": {},
    });
  });

  test("that time out are cancelled by a notice, and a late answer does no harm", async () => {
    const { problems, onError } = collectProblems();
    let late = (): void => undefined;
    const pipe = serveModernPipe((reply) => {
      late = () => done(reply);
      if (reply.message.params?.name === ("y" as unknown)) done(reply);
    });
    const client = openClient({ transport: pipe, onError });
    await client.connect();

    const error = await failureOf(client.callTool("x", {}, { timeout: 40 }));
    const call = pipe.log.findLast(({ method }) => method === "tools/call");
    late();
    const next = await client.callTool("y");

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 40 });
    expect(pipe.log.find(({ method }) => method === "notifications/cancelled")?.params?.requestId).toBe(call?.id);
    expect(next.text).toBe("ok");
    expect(problems).toHaveLength(1);
  });

  test("that are given up are cancelled by a notice", async () => {
    const pipe = serveModernPipe(() => undefined);
    const client = openClient({ transport: pipe });
    await client.connect();

    const error = await failureOf(client.callTool("x", {}, { signal: AbortSignal.timeout(30) }));

    expect(error).toMatchObject({ code: "aborted" });
    expect(pipe.methods().at(-1)).toBe("notifications/cancelled");
  });

  test("cannot hold what JSON cannot, and that fails this one alone", async () => {
    const client = openClient({ transport: serveModernPipe(done) });
    await client.connect();

    const error = await failureOf(client.callTool("x", { n: 1n }));
    const next = await client.callTool("x");

    expect(error).toBeInstanceOf(TypeError);
    expect(next.text).toBe("ok");
  });

  test("survive noise of every kind", async () => {
    const { problems, onError } = collectProblems();
    const pipe = serveModernPipe((reply) => {
      const noise: unknown[] = [
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: reply.message.id, progress: 1 } },
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 4711, progress: 1 } },
        { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } },
        { jsonrpc: "2.0", method: "notifications/progress" },
        { jsonrpc: "2.0", method: "notifications/foo/bar" },
        { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: reply.message.id } },
        { jsonrpc: "2.0", id: 999, result: {} },
        { jsonrpc: "2.0", id: 999, method: "sampling/createMessage" },
        { jsonrpc: "2.0", error: { code: -32700, message: "?" } },
        [{ jsonrpc: "2.0", method: "notifications/foo" }],
        null,
        "text",
      ];
      for (const message of noise) reply.pipe.emit(message);
      done(reply);
      done(reply);
    });
    const client = openClient({ transport: pipe, onError });

    const first = await client.callTool("x");
    const second = await client.callTool("x");

    expect([first.text, second.text]).toEqual(["ok", "ok"]);
    expect(problems.length).toBeLessThanOrEqual(14);
    expect(pipe.closes).toBe(0);
    expect(pipe.methods()).toEqual(["server/discover", "tools/list", "tools/call", "tools/call"]);
  });
});

describe("a pipe that ends", () => {
  test("rejects every call on its way with the reason", async () => {
    const reason = new MortiseError("connection_closed", "MCP server process 'x' exited (code 3)");
    const pipe = serveModernPipe((reply) => {
      if (reply.message.params?.arguments?.last === (true as unknown)) reply.pipe.end(reason);
    });
    const client = openClient({ transport: pipe });
    await client.connect();

    const errors = await Promise.all([
      failureOf(client.callTool("x")),
      failureOf(client.callTool("x", { last: true })),
    ]);

    expect(errors).toEqual([reason, reason]);
  });

  test("is started again by the next call", async () => {
    let ends = true;
    const pipe = serveModernPipe((reply) => {
      if (ends) reply.pipe.end();
      else done(reply);
    });
    const client = openClient({ transport: pipe });
    await client.connect();

    const first = await failureOf(client.callTool("x"));
    ends = false;
    const second = await client.callTool("x");

    expect(first).toMatchObject({ code: "connection_closed" });
    expect(second.text).toBe("ok");
    expect(pipe.methods().filter((method) => method === "server/discover")).toHaveLength(2);
  });

  test("is closed with the client, once asked", async () => {
    const pipe = serveModernPipe(() => undefined);
    const client = openClient({ transport: pipe });
    await client.connect();
    const call = failureOf(client.callTool("x"));
    await expect.poll(() => pipe.methods().at(-1)).toBe("tools/call");

    await client.close();

    expect(await call).toMatchObject({ code: "connection_closed" });
    expect(pipe.closes).toBe(1);
  });
});

describe("a legacy pipe", () => {
  test("answers pings of the server, refuses its other requests, and cancels by a notice", async () => {
    const pipe = createFakePipe((reply) => {
      const { method } = reply.message;
      if (method === "initialize") reply.result(initializeResult());
      if (method === "tools/list") reply.result({ tools: [] });
      if (method === "ping") reply.result({});
    });
    const client = openClient({ transport: pipe, era: "legacy" });
    await client.connect();

    await client.ping();
    pipe.emit({ jsonrpc: "2.0", id: "p", method: "ping" });
    pipe.emit({ jsonrpc: "2.0", id: 0, method: "sampling/createMessage", params: {} });
    await failureOf(client.callTool("x", {}, { timeout: 30 }));

    expect(pipe.log).toContainEqual({ jsonrpc: "2.0", id: "p", result: {} });
    expect(pipe.log).toContainEqual(
      expect.objectContaining({ id: 0, error: expect.objectContaining({ code: -32601 }) }),
    );
    expect(pipe.methods().at(-1)).toBe("notifications/cancelled");
  });
});

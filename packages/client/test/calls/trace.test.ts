import type { TraceContext } from "@mortise/client";
import { describe, expect, test } from "vitest";
import { startFake } from "../fake-http.js";
import { serveLegacy } from "../legacy-server.js";
import { serveModern } from "../modern-server.js";
import { collectProblems, openClient } from "../open-client.js";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
const OTHER = "00-11111111111111111111111111111111-2222222222222222-00";

describe("the trace of a request", () => {
  test.each([
    ["modern", serveModern()],
    ["legacy", serveLegacy()],
  ])("goes along to a %s server, as it is at that moment", async (_, serve) => {
    const server = await startFake(serve);
    let span = 0;
    const trace = (): TraceContext => {
      span += 1;
      return { traceparent: TRACEPARENT, tracestate: `vendor=${span}`, baggage: "user=ada" };
    };
    const client = openClient({ url: server.url, trace });
    await client.connect();

    await client.callTool("echo", { text: "x" });
    await client.callTool("echo", { text: "x" });

    const calls = server.log.filter(({ message }) => message.method === "tools/call");
    expect(calls.map(({ message }) => message.params?._meta)).toMatchObject([
      { traceparent: TRACEPARENT, tracestate: "vendor=2", baggage: "user=ada" },
      { traceparent: TRACEPARENT, tracestate: "vendor=3", baggage: "user=ada" },
    ]);
  });

  test("is what a request says in its own parameters", async () => {
    const server = await startFake(serveModern());
    const client = openClient({ url: server.url, trace: () => ({ traceparent: TRACEPARENT }) });

    await client.request("tools/call", { name: "echo", arguments: {}, _meta: { traceparent: OTHER } });

    expect(server.log.at(-1)?.message.params?._meta).toMatchObject({ traceparent: OTHER });
  });

  test("is what the request says itself, where it does", async () => {
    const server = await startFake(serveModern());
    const client = openClient({ url: server.url, trace: () => ({ traceparent: TRACEPARENT }) });

    await client.callTool("echo", { text: "x" }, { meta: { traceparent: OTHER } });

    expect(server.log.at(-1)?.message.params?._meta).toMatchObject({ traceparent: OTHER });
  });

  test("is missing where there is none", async () => {
    const server = await startFake(serveModern());
    const { problems, onError } = collectProblems();
    const client = openClient({ url: server.url, trace: () => undefined, onError });

    await client.callTool("echo", { text: "x" });

    expect(server.log.at(-1)?.message.params?._meta).not.toHaveProperty("traceparent");
    expect(problems).toEqual([]);
  });

  test.each([
    ["too short", "00-abc-def-01"],
    ["all zeros", "00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
    ["of a version that must not be", `ff${TRACEPARENT.slice(2)}`],
    ["in capitals", TRACEPARENT.toUpperCase()],
    ["no text", 5],
  ])("is reported and left out when it is %s", async (_, traceparent) => {
    const server = await startFake(serveModern());
    const { problems, onError } = collectProblems();
    const trace = () => ({ traceparent }) as unknown as TraceContext;
    const client = openClient({ url: server.url, trace, onError });

    const { text } = await client.callTool("echo", { text: "x" });

    expect(text).toBe("x");
    expect(server.log.at(-1)?.message.params?._meta).not.toHaveProperty("traceparent");
    expect(problems[0]).toMatchObject({ code: "invalid_options" });
  });

  test("fails no request when it cannot be told", async () => {
    const server = await startFake(serveModern());
    const { problems, onError } = collectProblems();
    const trace = (): never => {
      throw new Error("no tracer");
    };
    const client = openClient({ url: server.url, trace, onError });

    expect((await client.callTool("echo", { text: "x" })).text).toBe("x");
    expect(problems.length).toBeGreaterThan(0);
  });
});

import { describe, expect, test } from "vitest";
import { createFakePipe, type FakePipe, type PipeReply } from "./fake-pipe.js";
import { initializeResult } from "./legacy-server.js";
import { DISCOVERED, ECHO_TOOL } from "./modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "./open-client.js";

function later(ms: number, act: () => void): void {
  setTimeout(act, ms);
}

/** Answers what both eras share, and hands the openings to the script. */
function serve(openings: { discover?: (reply: PipeReply) => void; initialize?: (reply: PipeReply) => void }): FakePipe {
  return createFakePipe((reply) => {
    const { method } = reply.message;
    if (method === "server/discover") openings.discover?.(reply);
    else if (method === "initialize") openings.initialize?.(reply);
    else if (method === "tools/list") reply.result({ tools: [ECHO_TOOL] });
    else if (method === "tools/call") reply.result({ content: [{ type: "text", text: "ok" }] });
  });
}

const agree = ({ result }: PipeReply): void => result(initializeResult());
const discover = ({ result }: PipeReply): void => result(DISCOVERED);

function hasEnvelope(pipe: FakePipe, method: string): boolean {
  const message = pipe.log.findLast((entry) => entry.method === method);
  return message?.params?._meta !== undefined;
}

describe("the first answer on a pipe", () => {
  test("that is a discover result means modern", async () => {
    const pipe = serve({ discover });
    const client = openClient({ transport: pipe });

    const server = await client.connect();

    expect(server).toMatchObject({
      era: "modern",
      protocolVersion: "2026-07-28",
      serverInfo: { name: "fake", version: "1" },
    });
    expect(pipe.methods()).toEqual(["server/discover", "tools/list"]);
    expect(pipe.log[0]?.id).toBe(1);
  });

  test.each([
    ["method not found", ({ error }: PipeReply) => error(-32601, "Method not found")],
    ["invalid params", ({ error }: PipeReply) => error(-32602, "Invalid params")],
    ["an error of its own", ({ error }: PipeReply) => error(-32000, "Not initialized")],
    ["some other result", ({ result }: PipeReply) => result({})],
    [
      "an error without an id",
      ({ pipe }: PipeReply) =>
        later(0, () => pipe.emit({ jsonrpc: "2.0", id: null, error: { code: -32600, message: "what?" } })),
    ],
  ])("that is %s means legacy", async (_, refuse) => {
    const pipe = serve({ discover: refuse, initialize: agree });
    const client = openClient({ transport: pipe });

    const server = await client.connect();

    expect(server).toMatchObject({ era: "legacy", protocolVersion: "2025-11-25" });
    expect(pipe.methods()).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/list"]);
  });

  test("that never comes means legacy", async () => {
    const pipe = serve({ initialize: agree });
    const client = openClient({ transport: pipe, probeTimeout: 50 });

    const startedAt = performance.now();
    const server = await client.connect();

    expect(server.era).toBe("legacy");
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(pipe.methods()).toEqual(["server/discover", "initialize", "notifications/initialized", "tools/list"]);
  });

  test("that is an unsupported version is followed by one that is listed", async () => {
    let asked = 0;
    const pipe = serve({
      discover: (reply) => {
        asked += 1;
        if (asked === 1) reply.error(-32022, "no", { supported: ["2026-07-28", "2025-11-25"] });
        else reply.result(DISCOVERED);
      },
    });
    const client = openClient({ transport: pipe });

    const server = await client.connect();

    expect(server.era).toBe("modern");
    expect(pipe.methods()).toEqual(["server/discover", "server/discover", "tools/list"]);
  });

  test("that lists legacy versions only is followed by the handshake", async () => {
    const pipe = serve({
      discover: ({ error }) => error(-32022, "no", { supported: ["2025-06-18"] }),
      initialize: agree,
    });
    const client = openClient({ transport: pipe });

    const server = await client.connect();

    expect(server.era).toBe("legacy");
  });

  test("that is a missing capability means modern, and reaches the caller", async () => {
    const pipe = serve({ discover: ({ error }) => error(-32021, "no", { requiredCapabilities: {} }) });
    const client = openClient({ transport: pipe });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ name: "JsonRpcError", code: -32021 });
    expect(pipe.methods()).toEqual(["server/discover"]);
    expect(pipe.closes).toBe(1);
  });

  test("is waited for longer when only modern will do", async () => {
    const pipe = serve({ discover: (reply) => later(120, () => discover(reply)) });
    const client = openClient({ transport: pipe, era: "modern", probeTimeout: 20 });

    const server = await client.connect();

    expect(server.era).toBe("modern");
    expect(pipe.methods()).not.toContain("initialize");
  });
});

describe("an answer that comes after the handshake began", () => {
  const probeTimeout = 200;

  /** Holds the probe back, and hands it to the answer to the handshake. */
  function serveLate(onInitialize: (initialize: PipeReply, probe: PipeReply) => void): FakePipe {
    let probe: PipeReply | undefined;
    return serve({
      discover: (reply) => {
        if (probe === undefined) probe = reply;
        else discover(reply);
      },
      initialize: (reply) => onInitialize(reply, probe!),
    });
  }

  test.each([
    ["soon after the refusal", 20],
    ["long after the refusal, as from a server that took its time to start", 600],
  ])("%s makes the server modern when it refuses the handshake", async (_, ms) => {
    const { problems, onError } = collectProblems();
    const pipe = serveLate((initialize, probe) => {
      initialize.error(-32602, "speak 2026-07-28");
      later(ms, () => discover(probe));
    });
    const client = openClient({ transport: pipe, probeTimeout, onError });

    const server = await client.connect();
    await client.callTool("echo");

    expect(server.era).toBe("modern");
    expect(hasEnvelope(pipe, "tools/call")).toBe(true);
    expect(pipe.methods()).not.toContain("notifications/initialized");
    expect(problems).toEqual([]);
  });

  test("makes the server modern when it lists a modern version", async () => {
    const pipe = serveLate((initialize, probe) => {
      probe.error(-32022, "no", { supported: ["2026-07-28"] });
      initialize.error(-32602, "no");
    });
    const client = openClient({ transport: pipe, probeTimeout });

    const server = await client.connect();

    expect(server.era).toBe("modern");
  });

  test("makes the server modern when the handshake is never answered", async () => {
    const pipe = serveLate((_, probe) => discover(probe));
    const client = openClient({ transport: pipe, probeTimeout });

    const server = await client.connect();

    expect(server.era).toBe("modern");
    expect(pipe.methods()).not.toContain("notifications/initialized");
  });

  test.each([
    [
      "before the handshake is through",
      (initialize: PipeReply, probe: PipeReply) => [discover(probe), agree(initialize)],
    ],
    [
      "after the handshake",
      (initialize: PipeReply, probe: PipeReply) => [agree(initialize), later(20, () => discover(probe))],
    ],
  ])("changes nothing when the server agreed: %s", async (_, answer) => {
    const { problems, onError } = collectProblems();
    const pipe = serveLate(answer);
    const client = openClient({ transport: pipe, probeTimeout, onError });

    const server = await client.connect();
    await pause(60);
    await client.callTool("echo");

    expect(server.era).toBe("legacy");
    expect(hasEnvelope(pipe, "tools/call")).toBe(false);
    expect(pipe.methods().filter((method) => method === "notifications/initialized")).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test("is not waited for without end when the handshake is refused", async () => {
    const pipe = serve({ initialize: ({ error }) => error(-32602, "no") });
    const client = openClient({ transport: pipe, probeTimeout: 50 });

    const error = await failureOf(client.connect());

    expect(error).toMatchObject({ code: "initialize_refused", cause: { code: -32602 } });
  });
});

import type { RequestOptions } from "@mortise/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type FakeServer, type Reply, startFake } from "./fake-http.js";
import { createFakePipe } from "./fake-pipe.js";
import { initializeResult, serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient, pause } from "./open-client.js";

const STEP = 25;

/** Sends progress on `tools/call` every 25 ms and never a result. */
function neverDone(token?: unknown): (reply: Reply) => void {
  return ({ request, response }) => {
    const progressToken = token ?? request.message.params?._meta?.progressToken;
    let progress = 0;
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => {
      progress += 1;
      response.write(
        `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } })}\n\n`,
      );
    }, STEP);
    response.on("close", () => clearInterval(timer));
  };
}

async function timeCall(
  fake: FakeServer,
  options: RequestOptions,
): Promise<{ error: Error & { code?: unknown }; took: number }> {
  const client = openClient(fake.url);
  await client.connect();
  const startedAt = performance.now();
  const error = await failureOf(client.callTool("x", {}, options));
  return { error, took: performance.now() - startedAt };
}

describe("the timeout of a request", () => {
  const limited: [string, RequestOptions, number, unknown][] = [
    ["passes although progress comes", { timeout: 120, onProgress: () => undefined }, 120, undefined],
    [
      "that progress resets ends at the total",
      { timeout: 120, resetTimeoutOnProgress: true, maxTotalTimeout: 350 },
      350,
      undefined,
    ],
    ["is not reset by the progress of another", { timeout: 120, resetTimeoutOnProgress: true }, 120, "someone else's"],
    ["that is larger than the total ends at the total", { timeout: 5_000, maxTotalTimeout: 120 }, 120, undefined],
    ["of none still ends at the total", { timeout: 0, maxTotalTimeout: 120 }, 120, undefined],
  ];

  test.each(limited)("%s", async (_, options, expected, token) => {
    const fake = await startFake(serveModern({ "tools/call": neverDone(token) }));

    const { error, took } = await timeCall(fake, options);

    expect(error).toMatchObject({ name: "MCPTimeoutError", timeoutMs: expected });
    expect(took).toBeGreaterThanOrEqual(expected - 2);
    expect(took).toBeLessThan(expected + 2_500);
  });

  const open: [string, RequestOptions][] = [
    ["reset by progress", { timeout: 600, resetTimeoutOnProgress: true }],
    ["0", { timeout: 0 }],
    ["Infinity", { timeout: Number.POSITIVE_INFINITY }],
    ["2^31", { timeout: 2 ** 31 }],
  ];

  test.each(open)("of %s leaves the request open", async (_, options) => {
    const fake = await startFake(serveModern({ "tools/call": neverDone() }));
    const client = openClient({ url: fake.url, timeout: 150 });
    await client.connect();
    let settled = false;
    const call = failureOf(client.callTool("x", {}, options)).finally(() => {
      settled = true;
    });

    await pause(900);

    expect(settled).toBe(false);
    await client.close();
    expect(await call).toMatchObject({ code: "connection_closed" });
  });

  test.each([-1, Number.NaN, "5" as unknown as number])("of %s is refused before anything is sent", async (timeout) => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);
    await client.connect();

    const error = await failureOf(client.callTool("echo", {}, { timeout }));

    expect(error).toMatchObject({ code: "invalid_options" });
    expect(fake.methods()).not.toContain("tools/call");
  });

  test("can be above the client's own", async () => {
    const fake = await startFake(
      serveModern({
        "tools/call": (reply) => void setTimeout(() => reply.result({ content: [] }), 1_200),
      }),
    );
    const client = openClient({ url: fake.url, timeout: 1_000 });
    await client.connect();

    const result = await client.callTool("x", {}, { timeout: 10_000 });

    expect(result.isError).toBe(false);
  });

  test("and an answer that come together settle the call once, and the next one works", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(
      serveModern({ "tools/call": (reply) => void setTimeout(() => reply.result({ content: [] }), 40) }),
    );
    const client = openClient({ url: fake.url, onError });
    await client.connect();

    const outcomes = await Promise.allSettled(
      Array.from({ length: 40 }, (_, at) => client.callTool("x", {}, { timeout: 30 + at })),
    );
    const next = await client.callTool("x");

    for (const outcome of outcomes)
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "MCPTimeoutError" });
    expect(next.isError).toBe(false);
    expect(problems).toEqual([]);
  });

  test("leaves no timer behind that keeps the process alive", async () => {
    const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const fake = await startFake(serveModern({ "tools/call": neverDone() }));
    const client = openClient(fake.url);
    const before = countTimers();

    await client.fetchTools();
    await failureOf(client.callTool("x", {}, { timeout: 40, maxTotalTimeout: 54_321 }));

    await expect.poll(countTimers).toBeLessThanOrEqual(before);
  });

  test("is a minute unless something else is said, and a server on a pipe has five seconds for the first answer", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const pipe = createFakePipe(({ message, result }) => {
      if (message.method === "initialize") result(initializeResult());
      if (message.method === "tools/list") result({ tools: [] });
    });
    const client = openClient({ transport: pipe });
    const settled: string[] = [];
    const connecting = client.connect().then(({ era }) => settled.push(era));

    await until(() => pipe.methods().length > 0);
    await vi.advanceTimersByTimeAsync(4_990);
    expect(pipe.methods()).toEqual(["server/discover"]);
    await vi.advanceTimersByTimeAsync(20);
    await until(() => pipe.methods().includes("initialize"));
    while (settled.length === 0) {
      await vi.advanceTimersByTimeAsync(1);
      await nextTurn();
    }
    await connecting;
    const call = failureOf(client.callTool("x")).then((error) => settled.push(error.name));
    await until(() => pipe.methods().includes("tools/call"));
    await vi.advanceTimersByTimeAsync(59_990);
    expect(settled).toEqual(["legacy"]);
    await vi.advanceTimersByTimeAsync(20);
    await call;

    expect(settled).toEqual(["legacy", "MCPTimeoutError"]);
  });

  test("closes the exchange with a modern server, and sends nothing else", async () => {
    let closed = false;
    const fake = await startFake(
      serveModern({
        "tools/call": ({ response }) => {
          response.on("close", () => {
            closed = true;
          });
        },
      }),
    );

    await timeCall(fake, { timeout: 60 });
    await expect.poll(() => closed).toBe(true);

    expect(fake.methods()).toEqual(["server/discover", "tools/list", "tools/call"]);
  });

  test("tells a legacy HTTP server by a notice", async () => {
    const fake = await startFake(serveLegacy({ sessions: ["s1"], overrides: { "tools/call": () => undefined } }));

    await timeCall(fake, { timeout: 60 });
    await expect.poll(() => fake.methods().at(-1)).toBe("notifications/cancelled");

    const [call, notice] = fake.log.slice(-2);
    expect(notice?.message.params?.requestId).toBe(call?.message.id);
    expect(notice?.headers["mcp-session-id"]).toBe("s1");
  });
});

describe("progress", () => {
  test("reaches the one who asked, for that request alone", async () => {
    const seen: unknown[] = [];
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          const { id, params } = request.message;
          const progressToken = params?._meta?.progressToken;
          const send = (message: object): void =>
            void response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
          response.writeHead(200, { "content-type": "text/event-stream" });
          send({
            method: "notifications/progress",
            params: { progressToken, progress: 0.5, total: 2, message: "half" },
          });
          send({ method: "notifications/progress", params: { progressToken: "other", progress: 9 } });
          send({ method: "notifications/progress", params: { progressToken, progress: "bad" } });
          send({ id, result: { content: [] } });
          response.end();
        },
      }),
    );
    const client = openClient(fake.url);

    await client.callTool("x", {}, { onProgress: (progress) => void seen.push(progress) });

    expect(seen).toEqual([{ progress: 0.5, total: 2, message: "half" }]);
  });

  test("handler that throws does not reject the call", async () => {
    const problems: Error[] = [];
    const fake = await startFake(
      serveModern({
        "tools/call": ({ request, response }) => {
          const { id } = request.message;
          response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(
            `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${id},"progress":1}}\n\n`,
          );
          response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
        },
      }),
    );
    const client = openClient({ url: fake.url, onError: (problem) => void problems.push(problem) });

    const result = await client.callTool(
      "x",
      {},
      {
        onProgress: () => {
          throw new RangeError("boom");
        },
      },
    );

    expect(result.isError).toBe(false);
    expect(problems).toEqual([expect.objectContaining({ message: "boom" })]);
  });

  test("is not asked for when nobody wants it", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    await client.callTool("echo");

    expect(fake.log.at(-1)?.message.params?._meta).not.toHaveProperty("progressToken");
  });
});

describe("a signal", () => {
  test("gives a request up", async () => {
    const fake = await startFake(serveModern({ "tools/call": () => undefined }));
    const client = openClient(fake.url);
    await client.connect();
    const controller = new AbortController();

    const call = failureOf(client.callTool("x", {}, { signal: controller.signal }));
    await expect.poll(() => fake.methods().at(-1)).toBe("tools/call");
    controller.abort(new Error("enough"));

    expect(await call).toMatchObject({ code: "aborted", cause: { message: "enough" } });
    await expect.poll(() => fake.sockets.size).toBe(0);
  });

  test("that is aborted already sends nothing", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);
    await client.connect();

    const error = await failureOf(client.callTool("echo", {}, { signal: AbortSignal.abort() }));

    expect(error).toMatchObject({ code: "aborted" });
    expect(fake.methods()).not.toContain("tools/call");
  });

  test("gives up waiting for the handshake, which goes on for others", async () => {
    let discovered = (): void => undefined;
    const serve = serveModern();
    const fake = await startFake((reply) => {
      if (reply.request.message.method === "server/discover") discovered = () => serve(reply);
      else serve(reply);
    });
    const client = openClient(fake.url);
    const controller = new AbortController();
    const impatient = failureOf(client.callTool("echo", {}, { signal: controller.signal }));
    const patient = client.callTool("echo", { text: "hi" });
    await expect.poll(() => fake.log.length).toBe(1);

    controller.abort();
    const error = await impatient;
    discovered();

    expect(error).toMatchObject({ code: "aborted" });
    expect((await patient).text).toBe("hi");
    expect(fake.methods().filter((method) => method === "server/discover")).toHaveLength(1);
  });
});

/** What is loaded on first use takes real time, which timers that are not real do not give it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await nextTurn();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

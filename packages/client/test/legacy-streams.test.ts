import type { ServerResponse } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { collectProblems, openClient, pause } from "./open-client.js";
import { count, event, openStream } from "./stream-reply.js";

const NEWS = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

describe("the stream of a legacy session", () => {
  test("delivers notifications, and lets the server ask whether the client is there", async () => {
    const onNotification = vi.fn();
    const fake = await startFake(
      serveLegacy({
        sessions: ["s1"],
        overrides: {
          GET: ({ response }) => {
            openStream(response).write(event(NEWS) + event({ jsonrpc: "2.0", id: "p-1", method: "ping" }));
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", headers: { "x-key": "k" }, onNotification });
    await client.connect();

    await vi.waitFor(() => expect(fake.log.at(-1)?.message).toMatchObject({ id: "p-1", result: {} }));

    expect(onNotification).toHaveBeenCalledExactlyOnceWith(NEWS);
    const get = fake.log.find(({ method }) => method === "GET");
    expect(get?.headers).toMatchObject({
      accept: "text/event-stream",
      "mcp-session-id": "s1",
      "mcp-protocol-version": "2025-11-25",
      "x-key": "k",
    });
    expect(get?.headers["last-event-id"]).toBeUndefined();
  });

  test("is not opened unless somebody listens", async () => {
    const fake = await startFake(serveLegacy({ overrides: { GET: (reply) => reply.status(405) } }));
    const quiet = openClient({ url: fake.url, era: "legacy" });
    const told = openClient({ url: fake.url, era: "legacy", listen: false, onNotification: () => undefined });

    await quiet.connect();
    await told.connect();
    await quiet.ping();
    await told.ping();

    expect(fake.methods()).not.toContain("GET");
  });

  test("is not asked of a modern server", async () => {
    const fake = await startFake(serveModern());
    const client = openClient({ url: fake.url, listen: true, onNotification: () => undefined });

    await client.connect();
    await client.ping();

    expect(fake.methods()).not.toContain("GET");
  });

  const refusals: [string, (reply: Reply) => void][] = [
    ["405", (reply) => reply.status(405)],
    ["404 with a page", (reply) => reply.status(404, "<html>", { "content-type": "text/html" })],
    ["400", (reply) => reply.status(400, "no")],
    ["500", (reply) => reply.status(500)],
    ["a page", (reply) => reply.status(200, "<html>", { "content-type": "text/html" })],
    ["JSON", (reply) => reply.json({ jsonrpc: "2.0", id: null, error: { code: -32000, message: "no" } }, 405)],
    ["202", (reply) => reply.status(202)],
  ];

  test.each(refusals)("does not exist where GET is answered with %s, which is no failure", async (_, refuse) => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveLegacy({ sessions: ["s1"], overrides: { GET: refuse } }));
    const client = openClient({ url: fake.url, era: "legacy", listen: true, onError });
    await client.connect();
    await vi.waitFor(() => expect(fake.methods()).toContain("GET"));

    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("hi");
    expect(problems).toEqual([]);
    expect(count(fake.methods(), "GET")).toBe(1);
    expect(count(fake.methods(), "initialize")).toBe(1);
  });

  test("that wants a login is reported", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(serveLegacy({ overrides: { GET: (reply) => reply.status(401) } }));

    await openClient({ url: fake.url, era: "legacy", listen: true, onError }).connect();

    await vi.waitFor(() => expect(problems).toEqual([expect.objectContaining({ code: "unauthorized" })]));
  });

  test("goes on behind the last event, after the time that the server asks for", async () => {
    const onNotification = vi.fn();
    const ends: number[] = [];
    const begins: number[] = [];
    const lastIds: unknown[] = [];
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: ({ request, response }) => {
            begins.push(performance.now());
            lastIds.push(request.headers["last-event-id"]);
            openStream(response);
            if (begins.length > 2) return;
            response.write(begins.length === 1 ? "id: e1\nretry: 300\ndata:\n\n" : `id: e2\n${event(NEWS)}`);
            response.end(() => ends.push(performance.now()));
          },
        },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", onNotification }).connect();

    await vi.waitFor(() => expect(begins).toHaveLength(3), { timeout: 5_000 });

    expect(lastIds).toEqual([undefined, "e1", "e2"]);
    expect(onNotification).toHaveBeenCalledExactlyOnceWith(NEWS);
    for (const round of [0, 1]) {
      const gap = (begins[round + 1] ?? 0) - (ends[round] ?? 0);
      expect(gap).toBeGreaterThanOrEqual(299);
      expect(gap).toBeLessThan(2_000);
    }
  });

  test("is asked for again and again without losing an event or leaving anything behind", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const onNotification = vi.fn();
    let round = 0;
    const lastIds: unknown[] = [];
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: ({ request, response }) => {
            lastIds.push(request.headers["last-event-id"]);
            round += 1;
            const stream = openStream(response);
            stream.write(`retry: 10\nid: e${round}\n${event(NEWS)}`);
            if (round < 30) stream.end();
          },
        },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", onNotification }).connect();

    await vi.waitFor(() => expect(onNotification).toHaveBeenCalledTimes(30), { timeout: 10_000 });
    process.off("warning", onWarning);

    expect(lastIds).toEqual([undefined, ...Array.from({ length: 29 }, (_, at) => `e${at + 1}`)]);
    expect(warnings).toEqual([]);
  }, 15_000);

  test("that ends at once is not asked for in a tight loop", async () => {
    const fake = await startFake(
      serveLegacy({ overrides: { GET: ({ response }) => void openStream(response).end("retry: 0\n\n") } }),
    );
    await openClient({ url: fake.url, era: "legacy", listen: true }).connect();

    await pause(600);

    expect(count(fake.methods(), "GET")).toBeLessThan(7);
  });

  const later: [string, (reply: Reply) => void, number][] = [
    ["405, which ends it", (reply) => reply.status(405), 2],
    ["401, which ends it", (reply) => reply.status(401), 2],
    ["404 without a session, which ends it", (reply) => reply.status(404), 2],
    ["503, which is asked again", (reply) => reply.status(503), 3],
    ["nothing but a lost connection, which is asked again", (reply) => void reply.response.socket?.destroy(), 3],
  ];

  test.each(later)("may be answered with %s, when it is asked for once more", async (_, refuse, gets) => {
    let round = 0;
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: (reply) => {
            round += 1;
            if (round === 1) openStream(reply.response).end("retry: 10\nid: e1\ndata:\n\n");
            else if (round === 2) refuse(reply);
            else openStream(reply.response);
          },
        },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", listen: true }).connect();

    await vi.waitFor(() => expect(round).toBe(gets), { timeout: 5_000 });
    await pause(150);

    expect(round).toBe(gets);
  });

  test.each([400, 410])("begins anew when HTTP %i says that its events are gone", async (status) => {
    const lastIds: unknown[] = [];
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: (reply) => {
            lastIds.push(reply.request.headers["last-event-id"]);
            if (lastIds.length === 1) openStream(reply.response).end("retry: 10\nid: e1\ndata:\n\n");
            else if (lastIds.length === 2) reply.status(status);
            else openStream(reply.response);
          },
        },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", listen: true }).connect();

    await vi.waitFor(() => expect(lastIds).toEqual([undefined, "e1", undefined]));
  });

  test("that finds its session lost opens a new one, once", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startFake(
      serveLegacy({
        sessions: ["s1", "s2", "s3", "s4"],
        overrides: {
          GET: (reply) => {
            if (reply.request.headers["last-event-id"] !== undefined) reply.status(404);
            else openStream(reply.response).end("retry: 10\nid: e1\ndata:\n\n");
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: true, onError });
    await client.connect();

    await vi.waitFor(() => expect(problems).toHaveLength(1), { timeout: 5_000 });
    await client.ping();

    const gets = fake.log.filter(({ method }) => method === "GET");
    expect(gets.map(({ headers }) => headers["mcp-session-id"])).toEqual(["s1", "s1", "s2", "s2"]);
    expect(fake.log.at(-1)?.headers["mcp-session-id"]).toBe("s2");
    expect(count(fake.methods(), "initialize")).toBe(2);
  });

  test("follows the session when a request finds it lost", async () => {
    const gets: [unknown, unknown][] = [];
    let gone = false;
    const closed: unknown[] = [];
    const fake = await startFake(
      serveLegacy({
        sessions: ["s1", "s2"],
        isGone: (session) => gone && session === "s1",
        overrides: {
          GET: ({ request, response }) => {
            const session = request.headers["mcp-session-id"];
            gets.push([session, request.headers["last-event-id"]]);
            response.on("close", () => closed.push(session));
            openStream(response).write("id: e1\ndata:\n\n");
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: true });
    await client.connect();
    await vi.waitFor(() => expect(gets).toHaveLength(1));

    gone = true;
    await client.callTool("echo");

    await vi.waitFor(() => expect(closed).toEqual(["s1"]));
    await vi.waitFor(() =>
      expect(gets).toEqual([
        ["s1", undefined],
        ["s2", undefined],
      ]),
    );
  });

  test("does not keep the process alive while it waits", async () => {
    const timers = vi.spyOn(globalThis, "setTimeout");
    onTestFinished(() => timers.mockRestore());
    const fake = await startFake(
      serveLegacy({
        overrides: { GET: ({ response }) => void openStream(response).end("retry: 54321\nid: e1\ndata:\n\n") },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", listen: true }).connect();
    const findWait = (): NodeJS.Timeout | undefined => {
      const at = timers.mock.calls.findIndex(([, ms]) => ms !== undefined && ms >= 54_321 && ms < 55_000);
      return timers.mock.results[at]?.value as NodeJS.Timeout | undefined; // what Node gives
    };

    await vi.waitFor(() => expect(findWait()).toBeDefined());

    expect(findWait()?.hasRef()).toBe(false);
  });

  test("ends with the client, also while it waits", async () => {
    const fake = await startFake(
      serveLegacy({
        overrides: { GET: ({ response }) => void openStream(response).end("retry: 200\nid: e1\ndata:\n\n") },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: true });
    await client.connect();
    await vi.waitFor(() => expect(fake.methods()).toContain("GET"));

    await client.close();
    await pause(350);

    expect(count(fake.methods(), "GET")).toBe(1);
  });

  test("hangs up when the client closes", async () => {
    const streams = new Set<ServerResponse>();
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: ({ response }) => {
            streams.add(openStream(response));
            response.on("close", () => streams.delete(response));
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: true });
    await client.connect();
    await vi.waitFor(() => expect(streams.size).toBe(1));

    await client.close();

    await vi.waitFor(() => expect(streams.size).toBe(0));
  });

  test("may bring the progress of a call, which belongs elsewhere", async () => {
    const streams: ServerResponse[] = [];
    const progress = (progressToken: unknown): string =>
      event({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } });
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: ({ response }) => void streams.push(openStream(response)),
          "tools/call": (reply) => {
            const { id } = reply.request.message;
            streams[0]?.write(progress("other") + progress(id), () =>
              setTimeout(() => reply.result({ content: [] }), 50),
            );
          },
        },
      }),
    );
    const onNotification = vi.fn();
    const client = openClient({ url: fake.url, era: "legacy", onNotification });
    await client.connect();
    await vi.waitFor(() => expect(streams).toHaveLength(1));
    const onProgress = vi.fn();

    await client.callTool("echo", {}, { onProgress });

    expect(onProgress).toHaveBeenCalledExactlyOnceWith({ progress: 1, total: undefined, message: undefined });
    expect(onNotification).not.toHaveBeenCalled();
  });

  test("reports what is no message, and goes on", async () => {
    const { problems, onError } = collectProblems();
    const onNotification = vi.fn();
    const stray = { jsonrpc: "2.0", id: 1, result: {} };
    const fake = await startFake(
      serveLegacy({
        overrides: {
          GET: ({ response }) => {
            openStream(response).write(
              `data: {\n\ndata: 5\n\n${event(stray)}data: ${"x".repeat(2_000)}\n\nevent: other\ndata: {\n\n${event(NEWS)}`,
            );
          },
        },
      }),
    );
    await openClient({ url: fake.url, era: "legacy", maxMessageBytes: 1_000, onNotification, onError }).connect();

    await vi.waitFor(() => expect(onNotification).toHaveBeenCalledExactlyOnceWith(NEWS));

    expect(problems.map((problem) => (problem as Error & { code?: unknown }).code)).toEqual([
      "invalid_response",
      "invalid_response",
      "invalid_response",
      "response_too_large",
    ]);
  });
});

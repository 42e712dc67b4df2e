import type { ServerResponse } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { type Reply, startFake } from "./fake-http.js";
import { serveLegacy } from "./legacy-server.js";
import { serveModern } from "./modern-server.js";
import { failureOf, openClient, pause } from "./open-client.js";
import { count, event, openStream } from "./stream-reply.js";

const NEWS = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };

describe("an answer whose stream ends too early", () => {
  interface Rest {
    /** The beginning of the answer's stream. */
    readonly first: string;
    /** How the first stream ends. */
    readonly cut?: (response: ServerResponse) => void;
    /** What the stream that goes on says. */
    readonly rest: (reply: Reply, id: number) => void;
  }

  async function startCut({ first, cut = (response) => void response.end(), rest }: Rest): Promise<{
    client: ReturnType<typeof openClient>;
    fake: Awaited<ReturnType<typeof startFake>>;
    times: { ended: number; resumed: number };
  }> {
    const times = { ended: 0, resumed: 0 };
    let id = 0;
    const fake = await startFake(
      serveLegacy({
        sessions: ["s1"],
        overrides: {
          "tools/call": ({ request, response }) => {
            id = request.message.id ?? 0;
            openStream(response).write(first, () => {
              times.ended = performance.now();
              cut(response);
            });
          },
          GET: (reply) => {
            times.resumed = performance.now();
            rest(reply, id);
          },
        },
      }),
    );
    return { client: openClient({ url: fake.url, era: "legacy", listen: false }), fake, times };
  }

  const answerRest = ({ response }: Reply, id: number): void => void openStream(response).end(`id: p2\n${answer(id)}`);

  test("is got from another one, after the time that the server asks for", async () => {
    const { client, fake, times } = await startCut({ first: "id: p1\nretry: 300\ndata:\n\n", rest: answerRest });

    const { text } = await client.callTool("echo", { text: "hi" });

    expect(text).toBe("late");
    const gap = times.resumed - times.ended;
    expect(gap).toBeGreaterThanOrEqual(299);
    expect(gap).toBeLessThan(2_000);
    const get = fake.log.find(({ method }) => method === "GET");
    expect(get?.headers).toMatchObject({ "last-event-id": "p1", "mcp-session-id": "s1", accept: "text/event-stream" });
    expect(count(fake.methods(), "tools/call")).toBe(1);
  });

  test("is got from another one when the connection breaks", async () => {
    const { client } = await startCut({
      first: "id: p1\nretry: 10\ndata:\n\n",
      cut: (response) => void response.socket?.destroy(),
      rest: answerRest,
    });

    expect((await client.callTool("echo")).text).toBe("late");
  });

  test("is got with a fetch of the caller's own, too", async () => {
    const fake = await startFake(
      serveLegacy({
        overrides: {
          "tools/call": ({ response }) => void openStream(response).end("id: p1\nretry: 10\ndata:\n\n"),
          GET: ({ response }) => void openStream(response).end(answer(3)),
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: false, fetch: globalThis.fetch });

    expect((await client.callTool("echo")).text).toBe("late");
  });

  test("is got piece by piece, with notices on the way", async () => {
    const onNotification = vi.fn();
    const lastIds: unknown[] = [];
    let id = 0;
    const fake = await startFake(
      serveLegacy({
        overrides: {
          "tools/call": ({ request, response }) => {
            id = request.message.id ?? 0;
            openStream(response).end("id: p0\nretry: 10\ndata:\n\n");
          },
          GET: ({ request, response }) => {
            const last = String(request.headers["last-event-id"]);
            lastIds.push(last);
            const next = Number(last.slice(1)) + 1;
            openStream(response).end(`id: p${next}\n${next === 4 ? answer(id) : event(NEWS)}`);
          },
        },
      }),
    );
    const client = openClient({ url: fake.url, era: "legacy", listen: false, onNotification });

    const { text } = await client.callTool("echo");

    expect(text).toBe("late");
    expect(lastIds).toEqual(["p0", "p1", "p2", "p3"]);
    expect(onNotification).toHaveBeenCalledTimes(3);
  });

  test("is waited for as often as a server wants that names the time", async () => {
    let round = 0;
    const { client } = await startCut({
      first: "id: p1\nretry: 1\ndata:\n\n",
      rest: (reply, id) => {
        round += 1;
        if (round === 7) answerRest(reply, id);
        else openStream(reply.response).end(":\n\n");
      },
    });

    expect((await client.callTool("echo")).text).toBe("late");
  }, 15_000);

  const lost: [string, Rest][] = [
    ["the stream had no id", { first: ":\n\n", rest: answerRest }],
    ["the server refuses to go on", { first: "id: p1\nretry: 10\ndata:\n\n", rest: (reply) => reply.status(405) }],
    ["the server has forgotten it", { first: "id: p1\nretry: 10\ndata:\n\n", rest: (reply) => reply.status(404) }],
    ["the server wants a login", { first: "id: p1\nretry: 10\ndata:\n\n", rest: (reply) => reply.status(401) }],
    ["the answer is no stream", { first: "id: p1\nretry: 10\ndata:\n\n", rest: (reply) => reply.json({}) }],
    ["its id fits no header", { first: "id: p\u00fc\nretry: 10\ndata:\n\n", rest: answerRest }],
  ];

  test.each(lost)("is lost when %s, and the request is not repeated", async (_, script) => {
    const { client, fake } = await startCut(script);

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ name: "MortiseError", code: "stream_ended" });
    expect(count(fake.methods(), "tools/call")).toBe(1);
    expect(count(fake.methods(), "initialize")).toBe(1);
  });

  test("is given up by a signal, a timeout and closing", async () => {
    const { client, fake } = await startCut({ first: "id: p1\nretry: 300\ndata:\n\n", rest: answerRest });
    await client.connect();
    const controller = new AbortController();

    const aborted = failureOf(client.callTool("echo", {}, { signal: controller.signal }));
    await expect.poll(() => count(fake.methods(), "tools/call")).toBe(1);
    await pause(50);
    controller.abort();
    const timedOut = failureOf(client.callTool("echo", {}, { timeout: 100 }));
    await timedOut;
    const closed = failureOf(client.callTool("echo"));
    await expect.poll(() => count(fake.methods(), "tools/call")).toBe(3);
    await client.close();
    await pause(500);

    expect(await aborted).toMatchObject({ code: "aborted" });
    expect(await timedOut).toMatchObject({ name: "MCPTimeoutError" });
    expect(await closed).toMatchObject({ code: "connection_closed" });
    expect(fake.methods()).not.toContain("GET");
  });

  test("is not asked for of a modern server", async () => {
    const fake = await startFake(
      serveModern({
        "tools/call": ({ response }) => void openStream(response).end("id: p1\nretry: 1\ndata:\n\n"),
      }),
    );
    const client = openClient(fake.url);

    const error = await failureOf(client.callTool("echo"));

    expect(error).toMatchObject({ code: "stream_ended" });
    expect(fake.methods()).not.toContain("GET");
  });
});

function answer(id: number): string {
  return event({ jsonrpc: "2.0", id, result: { content: [{ type: "text", text: "late" }] } });
}

import { describe, expect, test } from "vitest";
import { type Reply, startFake } from "../fake-http.js";
import { serveModern } from "../modern-server.js";
import { failureOf, openClient } from "../open-client.js";

/** A server that fails so often at a method before it answers. */
async function startFailing(method: string, fail: (reply: Reply) => void, times = 1) {
  let left = times;
  const arrivals: number[] = [];
  const answers: Readonly<Record<string, object>> = {
    "prompts/get": { messages: [] },
    "resources/read": { contents: [] },
    "completion/complete": { completion: { values: [] } },
  };
  const serve = serveModern({
    "prompts/get": (reply) => reply.result({ resultType: "complete", ...answers["prompts/get"] }),
    "resources/read": (reply) => reply.result({ resultType: "complete", ...answers["resources/read"] }),
    "completion/complete": (reply) => reply.result({ resultType: "complete", ...answers["completion/complete"] }),
  });
  const server = await startFake((reply) => {
    if (reply.request.message.method !== method) return serve(reply);
    arrivals.push(performance.now());
    left -= 1;
    return left >= 0 ? fail(reply) : serve(reply);
  });
  return { ...server, arrivals };
}

const busy = (reply: Reply): void => reply.status(503);

describe("requests that change nothing", () => {
  test.each([
    ["the connection breaks", (reply: Reply) => reply.response.destroy()],
    [
      "the answer breaks off",
      (reply: Reply) => {
        reply.response.writeHead(200, { "content-type": "text/event-stream" }).write(": hello\n\n");
        setTimeout(() => reply.response.destroy(), 20);
      },
    ],
    ...[408, 429, 502, 503, 504].flatMap((status) => [
      [`of HTTP ${status}`, (reply: Reply) => reply.status(status)] as const,
      [`of HTTP ${status} with an error`, (reply: Reply) => reply.error(-32000, "later", { status })] as const,
    ]),
  ] as const)("are sent again when %s", async (_, fail) => {
    const server = await startFailing("prompts/get", fail);
    const client = openClient({ url: server.url, retries: 1 });

    await client.getPrompt("p");

    expect(server.arrivals).toHaveLength(2);
  });

  test("are lists, reads, prompts, completions, and asking whether the server is there", async () => {
    const calls = {
      "tools/list": (client: ReturnType<typeof openClient>) => client.fetchTools(),
      "resources/read": (client: ReturnType<typeof openClient>) => client.readResource("a://1"),
      "prompts/get": (client: ReturnType<typeof openClient>) => client.getPrompt("p"),
      "completion/complete": (client: ReturnType<typeof openClient>) =>
        client.complete({ prompt: "p", argument: "a", value: "" }),
    };

    for (const [method, call] of Object.entries(calls)) {
      const server = await startFailing(method, busy);
      await call(openClient({ url: server.url, retries: 1 }));
      expect([method, server.arrivals.length]).toEqual([method, 2]);
    }
  });

  test("are sent again no more often than the client says, and not at all when it says nothing", async () => {
    const server = await startFailing("prompts/get", busy, 100);

    const failure = await failureOf(openClient({ url: server.url, retries: 2 }).getPrompt("p"));
    const [twice] = [server.arrivals.length];
    await failureOf(openClient(server.url).getPrompt("p"));

    expect(failure).toMatchObject({ code: "http_status", cause: { status: 503 } });
    expect([twice, server.arrivals.length]).toEqual([3, 4]);
  });

  test.each([
    ["an error of the server", (reply: Reply) => reply.error(-32603, "no")],
    ["HTTP 400", (reply: Reply) => reply.status(400)],
    ["HTTP 403", (reply: Reply) => reply.status(403)],
    ["HTTP 500", (reply: Reply) => reply.status(500)],
    ["an answer that makes no sense", (reply: Reply) => reply.result("text")],
  ])("are not sent again after %s", async (_, fail) => {
    const server = await startFailing("prompts/get", fail, 100);

    await failureOf(openClient({ url: server.url, retries: 3 }).getPrompt("p"));

    expect(server.arrivals).toHaveLength(1);
  });

  test.each([
    ["alone", (reply: Reply) => reply.status(429, "", { "retry-after": "1" })],
    [
      "with an error",
      (reply: Reply) => {
        reply.response.setHeader("retry-after", "1");
        reply.error(-32000, "later", { status: 429 });
      },
    ],
  ])("wait for as long as the server wants, when HTTP says it %s", async (_, fail) => {
    const server = await startFailing("prompts/get", fail);

    await openClient({ url: server.url, retries: 1 }).getPrompt("p");

    const [first = 0, second = 0] = server.arrivals;
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  test("are not sent again when the server wants to be left alone for long", async () => {
    const server = await startFailing("prompts/get", (reply) => reply.status(503, "", { "retry-after": "3600" }));

    const failure = await failureOf(openClient({ url: server.url, retries: 3 }).getPrompt("p"));

    expect(failure).toMatchObject({ code: "http_status" });
    expect(server.arrivals).toHaveLength(1);
  });

  test("take no longer in all than one of them may", async () => {
    const server = await startFailing("prompts/get", busy, 100);
    const startedAt = performance.now();

    const failure = await failureOf(openClient({ url: server.url, retries: 50, timeout: 600 }).getPrompt("p"));

    expect(failure).toMatchObject({ code: "http_status" });
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test("that time out at last tell of the limit that the caller knows", async () => {
    let isFirst = true;
    const server = await startFailing(
      "prompts/get",
      (reply) => {
        if (isFirst) reply.status(503);
        isFirst = false;
      },
      100,
    );

    const failure = await failureOf(openClient({ url: server.url, retries: 2, timeout: 700 }).getPrompt("p"));

    expect(failure).toMatchObject({ name: "MCPTimeoutError", timeoutMs: 700 });
  });

  test("are given up by their signal while they wait", async () => {
    const server = await startFailing("prompts/get", (reply) => reply.status(503, "", { "retry-after": "20" }));
    const controller = new AbortController();
    const client = openClient({ url: server.url, retries: 1 });
    await client.connect();

    const failure = failureOf(client.getPrompt("p", {}, { signal: controller.signal }));
    while (server.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();

    expect(await failure).toMatchObject({ code: "aborted" });
  });
});

describe("requests that may change something", () => {
  test("are sent once, whatever the client does with others", async () => {
    const server = await startFailing("tools/call", busy);
    const client = openClient({ url: server.url, retries: 3 });

    expect(await failureOf(client.callTool("echo", { text: "x" }))).toMatchObject({ code: "http_status" });
    expect(server.arrivals).toHaveLength(1);
  });

  test("are sent again when they say so themselves", async () => {
    const server = await startFailing("tools/call", busy);
    const client = openClient(server.url);

    expect((await client.callTool("echo", { text: "x" }, { retries: 1 })).text).toBe("x");
    expect(server.arrivals).toHaveLength(2);
  });
});

describe("connecting", () => {
  test("is repeated as well", async () => {
    const server = await startFailing("server/discover", busy, 2);

    await openClient({ url: server.url, retries: 2 }).callTool("echo", { text: "x" });

    expect(server.arrivals).toHaveLength(3);
  });

  test("ends when the client is closed meanwhile", async () => {
    const server = await startFailing("server/discover", (reply) => reply.status(503, "", { "retry-after": "20" }));
    const client = openClient({ url: server.url, retries: 2 });

    const failure = failureOf(client.getPrompt("p"));
    while (server.arrivals.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await client.close();

    expect(await failure).toMatchObject({ code: "connection_closed" });
  });
});

test.each([-1, 1.5, "3"])("a number of retries that is none is refused: %j", (retries) => {
  expect(() => openClient({ url: "http://127.0.0.1:1", retries: retries as number })).toThrow(
    expect.objectContaining({ code: "invalid_options" }),
  );
});

test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "3"])(
  "a number of retries that is none is refused for one request, which is not sent: %j",
  async (retries) => {
    const server = await startFailing("prompts/get", busy);

    const failure = await failureOf(openClient(server.url).getPrompt("p", {}, { retries: retries as number }));

    expect(failure).toMatchObject({ code: "invalid_options" });
    expect(server.arrivals).toHaveLength(0);
  },
);

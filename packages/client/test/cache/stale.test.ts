import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Reply } from "../fake-http.js";
import { collectProblems, failureOf, openClient } from "../open-client.js";
import { createReadings, startCounting } from "./counting-server.js";

/** A server that reads once, and then does this. */
function startFailing(fail: (reply: Reply) => void, hints?: object) {
  const read = createReadings();
  let isFirst = true;
  const answer = (params: Parameters<typeof read>[0], reply: Reply): object | undefined => {
    if (isFirst) {
      isFirst = false;
      return read(params, reply);
    }
    fail(reply);
    return undefined;
  };
  return startCounting({ "resources/read": answer }, hints);
}

describe("a response that went stale", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    ["is down", (reply: Reply) => reply.response.destroy()],
    ["has trouble", (reply: Reply) => reply.status(503)],
    ["fails", (reply: Reply) => reply.status(500)],
  ])("stands in while the server %s, and that is reported", async (_, fail) => {
    const server = await startFailing(fail);
    const { problems, onError } = collectProblems();
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 }, onError });

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() + 61_000);
    const { text } = await client.readResource("a://1");

    expect(text).toBe("a://1 1");
    expect(problems).toMatchObject([{ code: "stale_result", cause: { name: "MortiseError" } }]);
  });

  test("stands in for no longer than it may", async () => {
    const server = await startFailing((reply) => reply.status(503));
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 } });

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() + 181_000);

    expect(await failureOf(client.readResource("a://1"))).toMatchObject({ code: "http_status" });
  });

  test("stands in for nothing where the client does not want it", async () => {
    const server = await startFailing((reply) => reply.status(503));
    const client = openClient(server.url);

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() + 61_000);

    expect(await failureOf(client.readResource("a://1"))).toMatchObject({ code: "http_status" });
  });

  test.each([
    ["access is refused", (reply: Reply) => reply.status(403), { code: "unauthorized" }],
    ["the server answers with an error", (reply: Reply) => reply.error(-32602, "gone"), { code: -32602 }],
    ["the answer makes no sense", (reply: Reply) => reply.result("text"), { code: "invalid_response" }],
  ])("does not hide that %s", async (_, fail, failure) => {
    const server = await startFailing(fail);
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 } });

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() + 61_000);

    expect(await failureOf(client.readResource("a://1"))).toMatchObject(failure);
  });

  test("does not stand in for a request that wants a new one", async () => {
    const server = await startFailing((reply) => reply.status(503));
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 } });

    await client.readResource("a://1");

    expect(await failureOf(client.readResource("a://1", { cache: "reload" }))).toMatchObject({ code: "http_status" });
  });

  test("does not stand in for a request that ends with the client", async () => {
    let arrived = (): void => undefined;
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const server = await startFailing(() => arrived(), {});
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 } });

    await client.readResource("a://1");
    const failure = failureOf(client.readResource("a://1"));
    await arrival;
    await client.close();

    expect(await failure).toMatchObject({ code: "connection_closed" });
  });

  test("was never fresh, and stands in all the same", async () => {
    const server = await startFailing((reply) => reply.status(503), {});
    const client = openClient({ url: server.url, cache: { staleIfError: 120_000 } });

    await client.readResource("a://1");

    expect((await client.readResource("a://1")).text).toBe("a://1 1");
  });
});

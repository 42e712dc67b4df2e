import { createResponseCache } from "@mortise/client/cache";
import { describe, expect, test } from "vitest";
import type { Reply } from "../fake-http.js";
import { failureOf, openClient, pause } from "../open-client.js";
import { event, openStream } from "../stream-reply.js";
import { createReadings, startCounting } from "./counting-server.js";

/** A server that answers `resources/read` when it is told to. */
async function startSlow(hints?: object) {
  const waiting: Reply[] = [];
  let arrived = (): void => undefined;
  const server = await startCounting(
    {
      "resources/read": (_, reply) => {
        waiting.push(reply);
        arrived();
        return undefined;
      },
      // Tells of a change before it answers.
      "test/change": (_, { request, response }) => {
        openStream(response);
        response.write(event({ jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "a://1" } }));
        response.end(event({ jsonrpc: "2.0", id: request.message.id, result: { resultType: "complete" } }));
        return undefined;
      },
    },
    hints,
  );
  return {
    server,
    /** Resolves once so many requests have come in all. */
    async arrivals(count: number): Promise<void> {
      while (server.count("resources/read") < count)
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
    },
    answer(text: string, more: object = { ttlMs: 0 }): void {
      const reply = waiting.shift();
      reply?.result({ resultType: "complete", contents: [{ uri: "a://1", text }], ...more });
    },
    waiting,
  };
}

describe("requests that are equal and on their way", () => {
  test("are sent once, and each gets a result of its own", async () => {
    const { server, arrivals, answer } = await startSlow();
    const client = openClient(server.url);
    await client.connect();

    const reads = [1, 2, 3].map(() => client.readResource("a://1"));
    await arrivals(1);
    answer("one");
    const results = await Promise.all(reads);

    expect(results.map(({ text }) => text)).toEqual(["one", "one", "one"]);
    expect(new Set(results.map(({ contents }) => contents[0])).size).toBe(3);
    expect(server.count("resources/read")).toBe(1);
  });

  test("go on for the others when one is given up, the first as well as any", async () => {
    const { server, arrivals, answer } = await startSlow();
    const client = openClient(server.url);
    await client.connect();
    const [first, last] = [new AbortController(), new AbortController()];

    const reads = [first.signal, undefined, last.signal].map((signal) => client.readResource("a://1", { signal }));
    const failures = Promise.all([failureOf(reads[0] as Promise<unknown>), failureOf(reads[2] as Promise<unknown>)]);
    await arrivals(1);
    first.abort();
    last.abort();
    const codes = (await failures).map(({ code }) => code);
    answer("one");

    expect(codes).toEqual(["aborted", "aborted"]);
    expect((await reads[1])?.text).toBe("one");
    expect(server.count("resources/read")).toBe(1);
  });

  test("are given up with the last one that waits", async () => {
    const { server, arrivals, waiting } = await startSlow();
    const client = openClient(server.url);
    await client.connect();
    const controllers = [new AbortController(), new AbortController()];

    const reads = controllers.map(({ signal }) => failureOf(client.readResource("a://1", { signal })));
    await arrivals(1);
    const closed = new Promise<void>((resolve) => waiting[0]?.response.once("close", resolve));
    for (const controller of controllers) controller.abort();
    await Promise.all(reads);

    await closed;
    expect(server.count("resources/read")).toBe(1);
  });

  test("are not joined once everybody has left", async () => {
    const { server, arrivals, answer } = await startSlow();
    const client = openClient(server.url);
    await client.connect();
    const controller = new AbortController();

    const first = failureOf(client.request("resources/read", { uri: "a://1" }, { signal: controller.signal }));
    await arrivals(1);
    controller.abort();
    const second = client.request("resources/read", { uri: "a://1" });
    await arrivals(2);
    answer("gone");
    answer("two");

    expect(await first).toMatchObject({ code: "aborted" });
    expect(await second).toMatchObject({ contents: [{ text: "two" }] });
  });

  test("all get an answer that is nested too deeply to be copied", async () => {
    const { server, arrivals, waiting } = await startSlow();
    const client = openClient(server.url);
    await client.connect();
    const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const answer = (): void => {
      const { request, response } = waiting.shift() as Reply;
      response.setHeader("content-type", "application/json");
      response.end(
        `{"jsonrpc":"2.0","id":${request.message.id},"result":{"resultType":"complete","ttlMs":60000,"contents":[],"nested":${nested}}}`,
      );
    };

    const reads = [1, 2].map(() => client.readResource("a://1"));
    await arrivals(1);
    answer();
    await arrivals(2);
    answer();

    for (const read of reads) expect((await read).contents).toEqual([]);
  });

  test("do not share the time limit of another, nor its failure to keep it", async () => {
    const { server, arrivals, answer } = await startSlow();
    const client = openClient(server.url);
    await client.connect();

    const short = failureOf(client.readResource("a://1", { timeout: 500 }));
    await arrivals(1);
    await pause(300);
    const later = client.readResource("a://1", { timeout: 500 });
    const long = client.readResource("a://1");
    await arrivals(2);
    expect(await short).toMatchObject({ name: "MCPTimeoutError" });
    await arrivals(3);
    answer("gone");
    answer("two");
    answer("three");

    expect([(await long).text, (await later).text]).toEqual(["two", "three"]);
  });

  test("all fail when the server refuses", async () => {
    const server = await startCounting({
      "resources/read": (_, reply) => {
        reply.error(-32603, "no");
        return undefined;
      },
    });
    const client = openClient(server.url);
    await client.connect();

    const failures = await Promise.all([1, 2].map(() => failureOf(client.readResource("a://1"))));

    expect(failures.map(({ code }) => code)).toEqual([-32603, -32603]);
    expect(server.count("resources/read")).toBe(1);
  });

  test("are not joined after another client of the cache has heard of a change", async () => {
    const { server, arrivals, answer } = await startSlow();
    const cache = createResponseCache();
    const [reader, listener] = [openClient({ url: server.url, cache }), openClient({ url: server.url, cache })];
    await Promise.all([reader.connect(), listener.connect()]);

    const before = reader.readResource("a://1");
    await arrivals(1);
    await listener.request("test/change");
    const after = reader.readResource("a://1");
    await arrivals(2);
    answer("before");
    answer("after");

    expect([(await before).text, (await after).text]).toEqual(["before", "after"]);
  });

  test("are not joined after a tool was called, which may have changed what they read", async () => {
    const { server, arrivals, answer } = await startSlow();
    const client = openClient(server.url);
    await client.connect();

    const before = client.readResource("a://1");
    await arrivals(1);
    await client.callTool("echo", { text: "changes something" });
    const after = client.readResource("a://1");
    await arrivals(2);
    answer("before");
    answer("after");

    expect([(await before).text, (await after).text]).toEqual(["before", "after"]);
  });

  test("that want progress are their own", async () => {
    const server = await startCounting({ "resources/read": createReadings() }, {});
    const client = openClient(server.url);
    await client.connect();

    await Promise.all([1, 2].map(() => client.readResource("a://1", { onProgress: () => undefined })));

    expect(server.count("resources/read")).toBe(2);
  });
});

describe("requests that the server answers with a question", () => {
  const question = {
    resultType: "input_required",
    inputRequests: { roots: { method: "roots/list" } },
    requestState: "s",
  };

  test("are never answered from the cache, nor for others", async () => {
    const server = await startCounting({
      "resources/read": (params) =>
        params?.inputResponses === undefined ? question : { contents: [{ uri: "a://1", text: "asked" }] },
    });
    let asked = 0;
    const onRoots = (): { uri: string }[] => {
      asked += 1;
      return [{ uri: "file:///" }];
    };
    const client = openClient({ url: server.url, onRoots });
    await client.connect();

    const texts = (await Promise.all([1, 2].map(() => client.readResource("a://1")))).map(({ text }) => text);
    await client.readResource("a://1");

    expect(texts).toEqual(["asked", "asked"]);
    expect(asked).toBe(3);
    expect(server.count("resources/read")).toBe(6);
  });

  test("are not kept when they carry answers of their own", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);
    const params = { uri: "a://1", inputResponses: {}, requestState: "s" };

    await client.request("resources/read", params);
    await client.request("resources/read", params);
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(3);
  });
});

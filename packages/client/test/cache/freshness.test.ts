import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openClient } from "../open-client.js";
import { createReadings, startCounting } from "./counting-server.js";

const MINUTE = 60_000;

describe("a response that says how long it is fresh", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test("is not asked for again until then", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);

    const first = await client.readResource("a://1");
    vi.setSystemTime(Date.now() + MINUTE - 1_000);
    const second = await client.readResource("a://1");

    expect(second).toEqual(first);
    expect(server.count("resources/read")).toBe(1);
  });

  test("is asked for again from then on, and not before somebody wants it", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() + MINUTE);
    const before = server.count("resources/read");
    const { text } = await client.readResource("a://1");

    expect(before).toBe(1);
    expect(text).toBe("a://1 2");
  });

  test.each([
    ["none", {}],
    ["zero", { ttlMs: 0 }],
    ["a negative one", { ttlMs: -5 }],
    ["a text", { ttlMs: "60000" }],
    ["null", { ttlMs: null }],
  ])("is asked for each time where its time is %s", async (_, hints) => {
    const server = await startCounting({ "resources/read": createReadings() }, { cacheScope: "public", ...hints });
    const client = openClient(server.url);

    await client.readResource("a://1");
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(2);
  });

  test("is believed for a day at most, whatever it says", async () => {
    const server = await startCounting({ "resources/read": createReadings() }, { ttlMs: 1e12 });
    const client = openClient(server.url);
    const start = Date.now();

    await client.readResource("a://1");
    vi.setSystemTime(start + 23 * 60 * MINUTE);
    await client.readResource("a://1");
    const within = server.count("resources/read");
    vi.setSystemTime(start + 25 * 60 * MINUTE);
    await client.readResource("a://1");

    expect([within, server.count("resources/read")]).toEqual([1, 2]);
  });

  test("is asked for again when the clock was set back", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);

    await client.readResource("a://1");
    vi.setSystemTime(Date.now() - 60 * MINUTE);
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(2);
  });

  test("is a copy: what is done to it changes nothing for others", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);

    for (const _ of [1, 2]) {
      const { contents } = await client.readResource("a://1");
      Object.assign(contents[0] ?? {}, { text: "changed" });
    }
    const { text } = await client.readResource("a://1");

    expect(text).toBe("a://1 1");
    expect(server.count("resources/read")).toBe(1);
  });

  test("leaves other parameters alone, and takes equal ones for equal in any order", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);
    const read = (params: object): Promise<object> => client.request("resources/read", { uri: "a://1", ...params });

    const first = await read({ filter: { a: 1, b: { c: [1, 2], d: 2 } } });
    const same = await read({ filter: { b: { d: 2, c: [1, 2] }, a: 1 } });
    const others = [{ filter: { a: 1, b: { c: [2, 1], d: 2 } } }, { filter: [["a", 1]] }, {}];
    for (const other of others) expect(await read(other)).not.toEqual(first);

    expect(same).toEqual(first);
    expect(server.count("resources/read")).toBe(1 + others.length);
  });

  test("belongs to the members of _meta that a server may heed, and to no trace", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

    await client.readResource("a://1");
    await client.readResource("a://1", { meta: { traceparent } });
    const traced = server.count("resources/read");
    await client.readResource("a://1", { meta: { "com.example/tenant": "b" } });

    expect([traced, server.count("resources/read")]).toEqual([1, 2]);
  });

  test("is brought in anew, or passed by, where a request says so", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);
    const read = async (cache?: "reload" | "no-store"): Promise<string> =>
      (await client.readResource("a://1", { cache })).text;

    const texts = [await read(), await read("no-store"), await read(), await read("reload"), await read()];

    expect(texts.map((text) => text.at(-1))).toEqual(["1", "2", "1", "3", "3"]);
  });

  test("is not kept where the client keeps nothing", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient({ url: server.url, cache: false });

    await client.readResource("a://1");
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(2);
  });

  test("may be what the server says of itself", async () => {
    const server = await startCounting({});
    const client = openClient(server.url);
    await client.connect();

    for (const _ of [1, 2]) await client.request("server/discover");

    expect(server.count("server/discover")).toBe(2);
  });

  test("is never that of a ping, a tool or a prompt", async () => {
    const server = await startCounting({ "prompts/get": () => ({ messages: [] }) });
    const client = openClient(server.url);

    for (const _ of [1, 2]) {
      await client.ping();
      await client.getPrompt("p");
      await client.callTool("echo", { text: "x" });
    }

    expect(server.count("server/discover")).toBe(3);
    expect(server.count("prompts/get")).toBe(2);
    expect(server.count("tools/call")).toBe(2);
  });
});

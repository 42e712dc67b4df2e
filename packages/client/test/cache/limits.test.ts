import { createResponseCache, type ResponseCache } from "@mortise/client/cache";
import { describe, expect, test } from "vitest";
import { createFakePipe } from "../fake-pipe.js";
import { DISCOVERED } from "../modern-server.js";
import { collectProblems, failureOf, openClient } from "../open-client.js";
import { ABILITIES, createReadings, startCounting } from "./counting-server.js";

describe("a cache of responses", () => {
  test("lets what was not used for longest make room", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const cache = createResponseCache({ maxEntries: 2 });
    const client = openClient({ url: server.url, cache });
    const read = async (uri: string): Promise<string> => (await client.readResource(uri)).text;

    for (const uri of ["a://1", "a://2", "a://1", "a://3"]) await read(uri);
    const again = [await read("a://1"), await read("a://3"), await read("a://2")];

    expect(again.map((text) => text.slice(-1))).toEqual(["1", "3", "4"]);
    expect(cache.entries).toBe(2);
  });

  test("holds no more than it may, and nothing that is too large alone", async () => {
    const server = await startCounting({
      "resources/read": (params) => ({
        contents: [{ uri: "x", text: "x".repeat(Number(String(params?.uri).slice(4))) }],
      }),
    });
    const cache = createResponseCache({ maxBytes: 10_000 });
    const client = openClient({ url: server.url, cache });

    for (const size of [1_000, 1_001, 1_002, 1_003, 1_004, 1_005]) await client.readResource(`a://${size}`);
    const [entries, bytes] = [cache.entries, cache.bytes];
    await client.readResource("a://6000");

    expect(entries).toBeGreaterThanOrEqual(3);
    expect(bytes).toBeLessThanOrEqual(10_000);
    expect([cache.entries, cache.bytes]).toEqual([entries, bytes]);
  });

  test("that is none is reported when something changes, and fails what would be kept alone", async () => {
    const { problems, onError } = collectProblems();
    const pipe = createFakePipe(({ message: { method }, result }) => {
      if (method === "server/discover") return result({ ...DISCOVERED, capabilities: ABILITIES });
      return result({ resultType: "complete", content: [], contents: [] });
    });
    const client = openClient({ transport: pipe, cache: new Map() as unknown as ResponseCache, onError });
    await client.callTool("echo", {});

    pipe.emit({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });

    expect(await failureOf(client.readResource("a://1"))).toMatchObject({ code: "invalid_options" });
    expect(problems).toContainEqual(expect.objectContaining({ code: "invalid_options" }));
  });

  test("keeps nothing where it may hold nothing", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient({ url: server.url, cache: { maxEntries: 0 } });

    await client.readResource("a://1");
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(2);
  });

  test("forgets everything when it is told to, also what is on its way", async () => {
    const cache = createResponseCache();
    const readings = createReadings();
    let isFirst = true;
    const server = await startCounting({
      "resources/read": (params, reply) => {
        if (!isFirst) cache.clear();
        isFirst = false;
        return readings(params, reply);
      },
    });
    const client = openClient({ url: server.url, cache });

    await client.readResource("a://1");
    await client.readResource("a://2");

    expect([cache.entries, cache.bytes]).toEqual([0, 0]);
  });

  test.each([{ maxEntries: -1 }, { maxBytes: 1.5 }, { maxEntries: "many" }])(
    "cannot be made with limits that are none: %j",
    (limits) => {
      expect(() => createResponseCache(limits as never)).toThrow(expect.objectContaining({ code: "invalid_options" }));
      expect(() => openClient({ url: "http://127.0.0.1:1", cache: limits as never })).toThrow(
        expect.objectContaining({ code: "invalid_options" }),
      );
    },
  );

  test("is none that something else made", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const store = { entries: 0, bytes: 0, clear: () => undefined };
    const client = openClient({ url: server.url, cache: store });

    expect(await failureOf(client.readResource("a://1"))).toMatchObject({ code: "invalid_options" });
  });
});

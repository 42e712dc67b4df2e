import { describe, expect, test } from "vitest";
import { startFake } from "../fake-http.js";
import { initializeResult, serveLegacy } from "../legacy-server.js";
import { failureOf, openClient } from "../open-client.js";
import { ABILITIES, startCounting } from "./counting-server.js";

const page = (name: string, nextCursor?: string): object => ({
  prompts: [{ name }],
  ...(nextCursor === undefined ? {} : { nextCursor }),
});

describe("the pages of a list", () => {
  test("are kept one by one, each for its own time", async () => {
    const server = await startCounting({
      "prompts/list": (params) => (params?.cursor === undefined ? page("a", "2") : { ...page("b"), ttlMs: 0 }),
    });
    const client = openClient(server.url);

    const names = [];
    for (const _ of [1, 2]) names.push((await client.listPrompts()).map(({ name }) => name));

    expect(names).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    expect(server.count("prompts/list")).toBe(3);
  });

  test("are asked for anew from the first one when the server does not know a cursor any more", async () => {
    let generation = 1;
    const server = await startCounting({
      "prompts/list": (params, reply) => {
        const cursor = params?.cursor as string | undefined;
        if (cursor === undefined) return page(`a${generation}`, `after a${generation}`);
        if (cursor === `after a${generation}`) return { ...page(`b${generation}`), ttlMs: 0 };
        reply.error(-32602, "Invalid cursor");
        return undefined;
      },
    });
    const client = openClient(server.url);

    await client.listPrompts();
    generation = 2;
    const names = (await client.listPrompts()).map(({ name }) => name);

    expect(names).toEqual(["a2", "b2"]);
    expect(server.count("prompts/list")).toBe(5);
  });

  test("are asked for anew once, and not again", async () => {
    const server = await startCounting({
      "prompts/list": (params, reply) => {
        if (params?.cursor === undefined) return page("a", "broken");
        reply.error(-32602, "Invalid cursor");
        return undefined;
      },
    });
    const client = openClient(server.url);

    expect(await failureOf(client.listPrompts())).toMatchObject({ code: -32602 });
    expect(server.count("prompts/list")).toBe(4);
  });

  test("come again from the first one to whoever takes them one by one", async () => {
    let isBroken = true;
    const server = await startCounting({
      "prompts/list": (params, reply) => {
        if (params?.cursor === undefined) return page("a", "2");
        if (!isBroken) return page("b");
        isBroken = false;
        reply.error(-32602, "Invalid cursor");
        return undefined;
      },
    });
    const client = openClient(server.url);

    const names: string[] = [];
    for await (const { prompts } of client.pages("prompts/list")) names.push(...prompts.map(({ name }) => name));

    expect(names).toEqual(["a", "a", "b"]);
  });

  test("of tools are asked for each time by fetchTools, and then known to everybody", async () => {
    let lists = 0;
    const server = await startCounting({
      "tools/list": () => {
        lists += 1;
        return { tools: [{ name: `t${lists}`, inputSchema: { type: "object" } }] };
      },
    });
    const client = openClient(server.url);
    const names = async (): Promise<unknown> => {
      for await (const { tools } of client.pages("tools/list")) return tools[0]?.name;
      return undefined;
    };

    const seen = [await names(), await names()];
    await client.fetchTools();
    seen.push(client.getToolNames()[0], await names());

    expect(seen).toEqual(["t1", "t1", "t2", "t2"]);
  });
});

describe("the lists of a legacy server", () => {
  const startLegacy = async () => {
    let lists = 0;
    const server = await startFake(
      serveLegacy({
        overrides: {
          initialize: (reply) => reply.result({ ...initializeResult(), capabilities: ABILITIES }),
          "prompts/list": (reply) => {
            lists += 1;
            reply.result({ ...page(`p${lists}`), ttlMs: 60_000, cacheScope: "public" });
          },
          "resources/read": (reply) => {
            lists += 1;
            reply.result({ contents: [], ttlMs: 60_000 });
          },
        },
      }),
    );
    return { server, lists: () => lists };
  };

  test("are asked for each time", async () => {
    const { server, lists } = await startLegacy();
    const client = openClient(server.url);

    await client.listPrompts();
    await client.listPrompts();

    expect(lists()).toBe(2);
  });

  test("are kept for as long as the client wants, and resources are not", async () => {
    const { server, lists } = await startLegacy();
    const client = openClient({ url: server.url, cache: { legacyTtl: 60_000 } });

    await client.listPrompts();
    await client.listPrompts();
    const kept = lists();
    await client.readResource("a://1");
    await client.readResource("a://1");

    expect([kept, lists()]).toEqual([1, 3]);
  });

  test("are not kept when the session is replaced", async () => {
    let current: unknown;
    let lists = 0;
    const server = await startFake(
      serveLegacy({
        sessions: ["s1", "s2"],
        isGone: (session) => session === current,
        overrides: {
          "prompts/list": (reply) => {
            lists += 1;
            reply.result(page(`p${lists}`));
          },
        },
      }),
    );
    const client = openClient({ url: server.url, cache: { legacyTtl: 60_000 } });

    await client.request("prompts/list");
    current = "s1";
    await client.callTool("echo", { text: "finds the session gone" });
    await client.request("prompts/list");

    expect(lists).toBe(2);
  });

  test("are not kept over a new session", async () => {
    const { server, lists } = await startLegacy();
    const client = openClient({ url: server.url, cache: { legacyTtl: 60_000 } });

    await client.listPrompts();
    await client.close();
    await client.connect();
    await client.listPrompts();

    expect(lists()).toBe(2);
  });
});

import { describe, expect, test } from "vitest";
import { type FakeServer, type Reply, startFake } from "./fake-http.js";
import { createFakePipe } from "./fake-pipe.js";
import { serveLegacy } from "./legacy-server.js";
import { DISCOVERED, serveModern } from "./modern-server.js";
import { collectProblems, failureOf, openClient } from "./open-client.js";

const ABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {} };

type Overrides = Record<string, (reply: Reply) => void>;

function startModern(overrides: Overrides, capabilities: object = ABILITIES): Promise<FakeServer> {
  const discover = (reply: Reply): void => reply.result({ ...DISCOVERED, capabilities });
  return startFake(serveModern({ "server/discover": discover, ...overrides }));
}

/** Answers with the page that a cursor names; the first one has none. */
function paged(pages: Record<string, object>): (reply: Reply) => void {
  return (reply) => {
    const page = pages[String(reply.request.message.params?.cursor ?? "first")];
    if (page === undefined) reply.error(-32602, "No such page");
    else reply.result({ resultType: "complete", ...page });
  };
}

describe("lists of resources, templates and prompts", () => {
  test("are read page by page", async () => {
    const fake = await startModern({
      "resources/list": paged({
        first: { resources: [{ uri: "a://1", name: "one", size: 3 }], nextCursor: "" },
        "": { resources: [{ uri: "a://2", name: "two" }] },
      }),
      "resources/templates/list": paged({ first: { resourceTemplates: [{ uriTemplate: "a://{id}", name: "any" }] } }),
      "prompts/list": paged({
        first: { prompts: [{ name: "p", arguments: [{ name: "x", required: true }] }], nextCursor: "2" },
        "2": { prompts: [{ name: "q" }] },
      }),
    });
    const client = openClient(fake.url);

    const resources = await client.listResources();
    const templates = await client.listResourceTemplates();
    const prompts = await client.listPrompts();

    expect(resources.map(({ uri, size }) => [uri, size])).toEqual([
      ["a://1", 3],
      ["a://2", undefined],
    ]);
    expect(templates.map(({ uriTemplate }) => uriTemplate)).toEqual(["a://{id}"]);
    expect(prompts.map(({ name, arguments: args }) => [name, args?.length])).toEqual([
      ["p", 1],
      ["q", undefined],
    ]);
  });

  test("are empty, without asking, where the server declares other abilities only", async () => {
    const fake = await startModern({}, { tools: {} });
    const client = openClient(fake.url);

    const lists = [await client.listResources(), await client.listResourceTemplates(), await client.listPrompts()];

    expect(lists).toEqual([[], [], []]);
    expect(fake.methods()).toEqual(["server/discover"]);
  });

  test("are empty where a server that declares nothing does not know the method", async () => {
    const fake = await startModern({}, {});
    const client = openClient(fake.url);

    expect(await client.listResources()).toEqual([]);
    expect(fake.methods()).toEqual(["server/discover", "resources/list"]);
  });

  test("reject when a later page cannot be had", async () => {
    const fake = await startModern({ "prompts/list": paged({ first: { prompts: [], nextCursor: "gone" } }) });
    const client = openClient(fake.url);

    expect(await failureOf(client.listPrompts())).toMatchObject({ code: -32602 });
  });

  test("lose items without a name, with a warning, and keep the others", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startModern({
      "resources/list": paged({ first: { resources: [null, { name: "no uri" }, { uri: "a://1", name: "one" }] } }),
    });
    const client = openClient({ url: fake.url, onError });

    const resources = await client.listResources();

    expect(resources.map(({ uri }) => uri)).toEqual(["a://1"]);
    expect(problems).toHaveLength(1);
  });

  test("that are no arrays reject", async () => {
    const fake = await startModern({ "prompts/list": paged({ first: { prompts: { p: {} } } }) });
    const client = openClient(fake.url);

    expect(await failureOf(client.listPrompts())).toMatchObject({ code: "invalid_response" });
  });

  test("end where cursors go in circles", async () => {
    const { problems, onError } = collectProblems();
    const fake = await startModern({
      "prompts/list": paged({
        first: { prompts: [{ name: "a" }], nextCursor: "2" },
        "2": { prompts: [{ name: "b" }], nextCursor: "3" },
        "3": { prompts: [{ name: "c" }], nextCursor: "2" },
      }),
    });
    const client = openClient({ url: fake.url, onError });

    const prompts = await client.listPrompts();

    expect(prompts.map(({ name }) => name)).toEqual(["a", "b", "c"]);
    expect(problems).toHaveLength(1);
  });

  test("reject when they do not end", async () => {
    let page = 0;
    const pipe = createFakePipe(({ message, pipe: { emit } }) => {
      const discovered = { ...DISCOVERED, capabilities: ABILITIES };
      const isList = message.method === "prompts/list";
      if (isList) page += 1;
      const result = isList ? { resultType: "complete", prompts: [], nextCursor: `page ${page}` } : discovered;
      queueMicrotask(() => emit({ jsonrpc: "2.0", id: message.id, result }));
    });
    const client = openClient({ transport: pipe });

    expect(await failureOf(client.listPrompts())).toMatchObject({ code: "invalid_response" });
    expect(page).toBeLessThanOrEqual(1_000);
  });

  test("are given page by page to whoever asks for pages, and no page more than is taken", async () => {
    const fake = await startModern({
      "resources/list": paged({
        first: { resources: [{ uri: "a://1", name: "one" }], nextCursor: "2", ttlMs: 5 },
        "2": { resources: [{ uri: "a://2", name: "two" }], nextCursor: "3" },
        "3": { resources: [] },
      }),
    });
    const client = openClient(fake.url);

    const uris: string[] = [];
    for await (const page of client.pages("resources/list")) {
      uris.push(...page.resources.map(({ uri }) => uri));
      if (uris.length === 2) break;
    }

    expect(uris).toEqual(["a://1", "a://2"]);
    expect(fake.methods()).toEqual(["server/discover", "resources/list", "resources/list"]);
  });

  test("of an extension are walked as they come", async () => {
    const fake = await startModern({
      "vendor/list": paged({ first: { things: [1], nextCursor: "2" }, "2": { things: [2] } }),
    });
    const client = openClient(fake.url);

    const things: unknown[] = [];
    for await (const page of client.pages("vendor/list")) things.push(page.things);

    expect(things).toEqual([[1], [2]]);
  });

  test("come from legacy servers as well", async () => {
    const initialize = (reply: Reply): void =>
      reply.result({ protocolVersion: "2024-11-05", capabilities: ABILITIES, serverInfo: { name: "s", version: "1" } });
    const overrides = { initialize, "prompts/list": paged({ first: { prompts: [{ name: "p" }] } }) };
    const fake = await startFake(serveLegacy({ overrides }));
    const client = openClient(fake.url);

    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(["p"]);
  });
});

import { createResponseCache } from "@mortise/client/cache";
import { describe, expect, test } from "vitest";
import { createFakePipe } from "../fake-pipe.js";
import { DISCOVERED } from "../modern-server.js";
import { failureOf, openClient } from "../open-client.js";
import { ABILITIES, createReadings, startCounting } from "./counting-server.js";

/** A modern server behind a pipe that answers everything with its number. */
function createNumberedPipe() {
  let answers = 0;
  const kept = { resultType: "complete", ttlMs: 60_000, cacheScope: "public" };
  const pipe = createFakePipe(({ message: { method, params }, result }) => {
    if (method === "server/discover") return result({ ...DISCOVERED, capabilities: ABILITIES });
    answers += 1;
    const name = String(answers);
    const item = { name, uri: `a://${name}`, uriTemplate: "a://{x}", inputSchema: { type: "object" } };
    const list = { tools: [item], prompts: [item], resources: [item], resourceTemplates: [item] };
    return result({ ...kept, ...list, contents: [{ uri: String(params?.uri), text: name }] });
  });
  return { pipe, answers: () => answers };
}

type Read = (client: ReturnType<typeof openClient>) => Promise<unknown>;

const READS: Readonly<Record<string, Read>> = {
  tools: async (client) => {
    for await (const { tools } of client.pages("tools/list")) return tools[0]?.name;
    return undefined;
  },
  prompts: async (client) => (await client.listPrompts())[0]?.name,
  resources: async (client) => (await client.listResources())[0]?.name,
  templates: async (client) => (await client.listResourceTemplates())[0]?.name,
  "a://1": async (client) => (await client.readResource("a://1")).text,
  "a://1/part": async (client) => (await client.readResource("a://1/part")).text,
  "a://12": async (client) => (await client.readResource("a://12")).text,
};

describe("a notice of a change", () => {
  test.each([
    ["notifications/tools/list_changed", {}, ["tools"]],
    ["notifications/prompts/list_changed", {}, ["prompts"]],
    ["notifications/resources/list_changed", {}, ["resources", "templates"]],
    ["notifications/resources/updated", { uri: "a://1" }, ["a://1", "a://1/part"]],
    ["notifications/resources/updated", { uri: "a://1/part" }, ["a://1", "a://1/part"]],
    ["notifications/resources/updated", { uri: "a://12" }, ["a://12"]],
    ["notifications/message", { level: "info", data: "x" }, []],
  ])("makes what it is about stale, and nothing else: %s %j", async (method, params, stale) => {
    const { pipe } = createNumberedPipe();
    const client = openClient({ transport: pipe });
    const readAll = async (): Promise<unknown[]> => {
      const values: unknown[] = [];
      for (const read of Object.values(READS)) values.push(await read(client));
      return values;
    };

    const before = await readAll();
    pipe.emit({ jsonrpc: "2.0", method, params });
    const after = await readAll();

    const changed = Object.keys(READS).filter((_, at) => before[at] !== after[at]);
    expect(changed).toEqual(stale);
  });

  test("concerns what is on its way as well", async () => {
    const server = await startCounting({
      "prompts/list": (_, { response, request }) => {
        const result = { resultType: "complete", prompts: [{ name: "old" }], ttlMs: 60_000 };
        const events = [{ method: "notifications/prompts/list_changed" }, { id: request.message.id, result }].map(
          (message) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`,
        );
        response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
        return undefined;
      },
    });
    const client = openClient(server.url);

    await client.listPrompts();
    await client.listPrompts();

    expect(server.count("prompts/list")).toBe(2);
  });

  test("on the answer to something else is heard", async () => {
    const server = await startCounting({
      "resources/read": createReadings(),
      "tools/call": (_, { response, request }) => {
        const result = { resultType: "complete", content: [] };
        const events = [
          { method: "notifications/resources/updated", params: { uri: "a://1" } },
          { id: request.message.id, result },
        ].map((message) => `data: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`);
        response.writeHead(200, { "content-type": "text/event-stream" }).end(events.join(""));
        return undefined;
      },
    });
    const client = openClient(server.url);

    await client.readResource("a://1");
    await client.callTool("write");
    const { text } = await client.readResource("a://1");

    expect(text).toBe("a://1 2");
  });

  test("to one client reaches a cache that it shares, even if it has kept nothing itself", async () => {
    const server = await startCounting({
      "resources/read": createReadings(),
      "tools/call": (_, { response, request }) => {
        const notice = { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "a://1" } };
        const answer = { jsonrpc: "2.0", id: request.message.id, result: { resultType: "complete", content: [] } };
        const text = [notice, answer].map((message) => `data: ${JSON.stringify(message)}\n\n`).join("");
        response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
        return undefined;
      },
    });
    const cache = createResponseCache();
    const [reader, writer] = [openClient({ url: server.url, cache }), openClient({ url: server.url, cache })];

    await reader.readResource("a://1");
    await writer.callTool("write");
    await writer.listPrompts().catch(() => undefined);
    await reader.readResource("a://1");

    expect(server.count("resources/read")).toBe(2);
  });
});

describe("an error that speaks of something unknown", () => {
  test.each([-32602, -32601])("makes the list stale that named it: %i", async (code) => {
    const server = await startCounting({
      "tools/list": () => ({ tools: [{ name: "gone", inputSchema: { type: "object" } }] }),
      "tools/call": (_, reply) => {
        reply.error(code, "Unknown tool");
        return undefined;
      },
    });
    const client = openClient(server.url);

    await READS.tools?.(client);
    await failureOf(client.callTool("gone"));
    const before = server.count("tools/list");
    await READS.tools?.(client);

    expect(server.count("tools/list")).toBe(before + 1);
  });

  test("is about a prompt or a resource, too", async () => {
    const refuse = (_: unknown, reply: { error(code: number, message: string): void }): undefined =>
      reply.error(-32602, "Unknown") as undefined;
    const server = await startCounting({
      "prompts/list": () => ({ prompts: [] }),
      "prompts/get": refuse,
      "resources/list": () => ({ resources: [] }),
      "resources/read": refuse,
    });
    const client = openClient(server.url);

    await client.listPrompts();
    await client.listResources();
    await failureOf(client.getPrompt("gone"));
    await failureOf(client.readResource("a://gone"));
    await client.listPrompts();
    await client.listResources();

    expect([server.count("prompts/list"), server.count("resources/list")]).toEqual([2, 2]);
  });
});

describe("a connection that is opened again", () => {
  test("leaves what a modern server said over HTTP", async () => {
    const server = await startCounting({ "resources/read": createReadings() });
    const client = openClient(server.url);

    await client.readResource("a://1");
    await client.close();
    await client.connect();
    await client.readResource("a://1");

    expect(server.count("resources/read")).toBe(1);
  });

  test("leaves nothing of a server behind a pipe, which is another process now", async () => {
    const { pipe } = createNumberedPipe();
    const client = openClient({ transport: pipe });

    const before = await client.readResource("a://1");
    await client.close();
    await client.connect();
    const after = await client.readResource("a://1");

    expect(after.text).not.toBe(before.text);
  });
});

import { MCPClient } from "@mortise/client";
import { afterEach, describe, expect, test } from "vitest";
import { type HandWrittenServer, startNestingSample, startPlainSample } from "../src/hand-written-servers.js";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function connect(start: () => Promise<HandWrittenServer>): Promise<{
  client: MCPClient;
  server: HandWrittenServer;
}> {
  const server = await start();
  const client = new MCPClient({ url: server.url, timeout: 5_000 });
  ends.push(
    () => server.close(),
    () => client.close(),
  );
  return { client, server };
}

const SAMPLES = [
  ["that nests its errors", startNestingSample],
  ["with plain errors", startPlainSample],
] as const;

describe.each(SAMPLES)("a server written by hand, %s,", (_, start) => {
  test("is found to be legacy, of the oldest revision", async () => {
    const { client } = await connect(start);

    await expect(client.connect()).resolves.toMatchObject({ era: "legacy", protocolVersion: "2024-11-05" });
    expect(client.verdict).toEqual({ era: "legacy", protocolVersion: "2024-11-05", minimalHeaders: false });
  });

  test("is greeted in order: question, handshake, notice, tools", async () => {
    const { client, server } = await connect(start);

    await client.connect();

    expect(server.received.map(({ body }) => body.method)).toEqual([
      "server/discover",
      "initialize",
      "notifications/initialized",
      "tools/list",
    ]);
  });

  test("answers calls", async () => {
    const { client } = await connect(start);

    expect(await client.callTool("add", { a: 40, b: 2 })).toMatchObject({ text: "42", isError: false });
  });

  test("marks a failure on a block, which is a failure of the tool", async () => {
    const { client } = await connect(start);

    expect(await client.callTool("subtract", {})).toMatchObject({ isError: true, text: "Unknown tool: subtract" });
  });

  test("refuses an unknown method with an error, wherever it puts that", async () => {
    const { client } = await connect(start);

    await expect(client.request("prompts/list")).rejects.toMatchObject({ name: "JsonRpcError", code: -32601 });
  });

  test("is never sent a request whose id counts as false", async () => {
    const { client, server } = await connect(start);
    await Promise.all(Array.from({ length: 5 }, () => client.callTool("add", { a: 1, b: 1 })));

    const requests = server.received.filter(({ body }) => !body.method?.startsWith("notifications/"));
    expect(requests.every(({ body }) => Boolean(body.id))).toBe(true);
  });
});

test("a new session id with every answer changes nothing: the one of the handshake is used", async () => {
  const { client, server } = await connect(startNestingSample);

  await client.callTool("add", { a: 1, b: 1 });
  await client.callTool("add", { a: 1, b: 1 });

  expect(server.received.map(({ sessionId }) => sessionId)).toEqual([
    undefined,
    undefined,
    "session-2",
    "session-2",
    "session-2",
    "session-2",
  ]);
});

test("minimal headers are what such a server lets a page send", async () => {
  const server = await startPlainSample();
  const sent: string[][] = [];
  const client = new MCPClient({
    url: server.url,
    minimalHeaders: true,
    headers: { Authorization: "Bearer abc" },
    fetch: (input, init) => {
      sent.push([...new Headers(init?.headers).keys()]);
      return fetch(input, init);
    },
  });
  ends.push(
    () => server.close(),
    () => client.close(),
  );

  await client.callTool("add", { a: 1, b: 1 });

  const allowed = new Set(["accept", "authorization", "content-type", "mcp-session-id"]);
  expect(sent.flat().filter((name) => !allowed.has(name))).toEqual([]);
});

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { MCPClient } from "@mortise/client";
import { createNodeHttpHandler } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { expect, onTestFinished, test } from "vitest";

const ODD_TEXTS = [
  "get_weather",
  "résumé",
  "docs://größe/ß",
  "🙂",
  " tab\t",
  "=?base64?Zm9v?=",
  "x\r\nX-Admin: 1",
  "=?BASE64?Zm9v?=",
  "__proto__",
  "constructor",
];

interface Served {
  readonly client: MCPClient;
  readonly seen: IncomingHttpHeaders[];
}

/** A server behind a socket that remembers the headers it got, and a client of it; both end with the test. */
async function serve(server: MCPServer): Promise<Served> {
  const seen: IncomingHttpHeaders[] = [];
  const handler = createNodeHttpHandler(server);
  const listener = createServer((request, response) => {
    seen.push(request.headers);
    handler(request, response);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const client = new MCPClient(`http://127.0.0.1:${port}/mcp`);
  onTestFinished(async () => {
    await client.close();
    await new Promise((resolve) => listener.close(resolve));
  });
  return { client, seen };
}

test.each(ODD_TEXTS)("a tool named %j is listed and called", async (name) => {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool(name, { input: { type: "object" } }, (args) => JSON.stringify(args));
  const { client, seen } = await serve(server);

  await client.connect();
  const { text } = await client.callTool(name, { a: 1 });

  expect(client.getToolNames()).toEqual([name]);
  expect(text).toBe('{"a":1}');
  for (const headers of seen) expect(headers).not.toHaveProperty("x-admin");
});

test.each(ODD_TEXTS)("an argument %j that is mirrored in a header arrives", async (region) => {
  const server = new MCPServer({ name: "test", version: "1" });
  const input = { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } } } as const;
  server.tool("search", { input }, (args) => JSON.stringify(args));
  const { client, seen } = await serve(server);

  const { text } = await client.callTool("search", { region });

  expect(JSON.parse(text)).toEqual({ region });
  expect(seen.at(-1)).toHaveProperty("mcp-param-region");
  for (const headers of seen) expect(headers).not.toHaveProperty("x-admin");
});

test("arguments named like members of every object arrive as data", async () => {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool("names", { input: { type: "object" } }, (args) => ({ names: Object.getOwnPropertyNames(args) }));
  server.tool("is_admin", {}, () => String(({} as { isAdmin?: unknown }).isAdmin));
  const { client } = await serve(server);

  const args = JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
  const { structuredContent } = await client.callTool("names", args);
  const { text } = await client.callTool("is_admin");

  expect(structuredContent).toEqual({ names: ["__proto__", "constructor"] });
  expect(text).toBe("undefined");
});

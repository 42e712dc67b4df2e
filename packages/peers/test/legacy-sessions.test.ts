import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { type HttpOptions, http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";

const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const KEY = { id: "a", key: new Uint8Array(32).fill(1) };
const servers: MCPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(legacy: HttpOptions["legacy"]): Promise<{ server: MCPServer; url: URL; aborted: string[] }> {
  const server = new MCPServer({ name: "sessions", version: "1.0.0", state: { keys: [KEY] } });
  const aborted: string[] = [];
  servers.push(server);
  server.tool("greet", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who?", schema: NAME });
    return answer.action === "accept" ? `Hello, ${String(answer.content.name)}` : answer.action;
  });
  server.tool("draft", {}, async (_, { sample, listRoots }) => {
    const { content } = await sample({
      messages: [{ role: "user", content: { type: "text", text: "Draft" } }],
      maxTokens: 10,
    });
    const { roots } = await listRoots();
    return JSON.stringify({ content, roots });
  });
  server.tool("wait", {}, async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    aborted.push("wait");
  });
  server.resource("memo://a", {}, () => "text");
  const { url } = await server.listen(http({ port: 0, legacy }));
  return { server, url: new URL(url), aborted };
}

interface Connected {
  readonly client: Client;
  /** Runs a tool. The clients take a signal in different places. */
  call(name: string, signal?: AbortSignal): Promise<{ readonly content?: unknown; readonly [other: string]: unknown }>;
  readonly transport: StreamableHTTPClientTransport;
}

const CLIENTS: readonly { readonly name: string; connect(url: URL): Promise<Connected> }[] = [
  {
    name: "the official SDK 1 client",
    async connect(url) {
      const client = new Client({ name: "peer", version: "1.0.0" }, { capabilities: CAPABILITIES });
      client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: "Ada" } }));
      client.setRequestHandler(CreateMessageRequestSchema, () => ({
        role: "assistant",
        model: "m",
        content: { type: "text", text: "drafted" },
      }));
      client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: "file:///project" }] }));
      const transport = new StreamableHTTPClientTransport(url);
      await client.connect(transport as Transport); // its own types disagree under exactOptionalPropertyTypes
      const call: Connected["call"] = (name, signal) =>
        client.callTool({ name }, undefined, signal === undefined ? {} : { signal });
      return { client, transport, call };
    },
  },
  {
    name: "the official client, legacy",
    async connect(url) {
      const client = new ModernClient(
        { name: "peer", version: "1.0.0" },
        { capabilities: CAPABILITIES, versionNegotiation: { mode: "legacy" } },
      );
      client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { name: "Ada" } }));
      client.setRequestHandler("sampling/createMessage", () => ({
        role: "assistant",
        model: "m",
        content: { type: "text", text: "drafted" },
      }));
      client.setRequestHandler("roots/list", () => ({ roots: [{ uri: "file:///project" }] }));
      const transport = new ModernTransport(url);
      await client.connect(transport);
      const call: Connected["call"] = (name, signal) =>
        client.callTool({ name }, signal === undefined ? {} : { signal });
      return { client, transport, call } as unknown as Connected; // what is used of them is the same
    },
  },
];

const WAYS = [
  { way: "sessions", legacy: { sessions: "memory", getStream: true } },
  { way: "minted ids", legacy: { mintSessionId: true } },
] as const;

describe.each(CLIENTS)("$name", ({ connect }) => {
  test.each(WAYS)("is asked with $way", async ({ legacy }) => {
    const { url } = await listen(legacy);
    const { client, call } = await connect(url);

    const [greeted, drafted] = await Promise.all([call("greet"), call("draft")]);
    await client.close();

    expect(greeted.content).toEqual([{ type: "text", text: "Hello, Ada" }]);
    expect(JSON.stringify(drafted.content)).toMatch(/drafted.*file:\/\/\/project/);
  });

  test("cancels a call by its signal", async () => {
    const { url, aborted } = await listen({ sessions: "memory" });
    const { client, call } = await connect(url);
    const controller = new AbortController();
    const waiting = call("wait", controller.signal);
    setTimeout(() => controller.abort(), 50);

    await expect(waiting).rejects.toThrow();

    await vi.waitFor(() => expect(aborted).toEqual(["wait"]));
    expect((await client.listTools()).tools).toHaveLength(3);
    await client.close();
  });

  test("ends its session, which is unknown afterwards", async () => {
    const { url } = await listen({ sessions: "memory" });
    const { client, transport } = await connect(url);
    const session = transport.sessionId ?? "";
    expect((await client.listTools()).tools).toHaveLength(3);

    await transport.terminateSession();
    await client.close();

    const headers = { "content-type": "application/json", "mcp-session-id": session };
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect([session.length > 0, response.status]).toEqual([true, 404]);
  });
});

test("the official SDK 1 client hears of changes on the stream of its session", async () => {
  const { server, url } = await listen({ sessions: "memory", getStream: true });
  const [first] = CLIENTS;
  const connected = await first?.connect(url);
  const heard: string[] = [];
  connected?.client.setNotificationHandler(ToolListChangedNotificationSchema, ({ method }) => void heard.push(method));
  connected?.client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void heard.push(params.uri),
  );
  await connected?.client.subscribeResource({ uri: "memo://a" });

  await vi.waitFor(() => {
    server.notify.toolsChanged();
    server.notify.resourceUpdated("memo://a");
    expect(new Set(heard)).toEqual(new Set(["notifications/tools/list_changed", "memo://a"]));
  });

  await connected?.client.close();
});

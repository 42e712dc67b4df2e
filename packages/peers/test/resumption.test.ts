import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { MCPClient } from "@mortise/client";
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startServer } from "../src/peer-server.js";

const ABOUT = { name: "peer", version: "1.0.0" };
const servers: MCPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function listen(): Promise<{ server: MCPServer; url: URL; ran: { count: number } }> {
  const server = new MCPServer({ name: "streams", version: "1.0.0" });
  servers.push(server);
  const ran = { count: 0 };
  server.tool("poll", {}, async (_, { closeStream, progress }) => {
    ran.count += 1;
    closeStream({ retry: 20 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    await progress(1);
    closeStream({ retry: 20 });
    await new Promise((resolve) => setTimeout(resolve, 60));
    return "polled";
  });
  const legacy = {
    sessions: "memory",
    resumable: true,
    getStream: true,
    sse: { path: "/sse", messagePath: "/messages" },
  } as const;
  const { url } = await server.listen(http({ port: 0, legacy }));
  return { server, url: new URL(url), ran };
}

function textOf(result: object): unknown {
  return (result as { content?: { text?: unknown }[] }).content?.[0]?.text; // every tool here gives text
}

describe("a call whose connection the server closes", () => {
  test("is fetched by the official SDK 1 client", async () => {
    const { url, ran } = await listen();
    const client = new Client(ABOUT);
    await client.connect(new StreamableHTTPClientTransport(url) as Transport); // its own types disagree under exactOptionalPropertyTypes

    const result = await client.callTool({ name: "poll", arguments: {} });
    await client.close();

    expect([textOf(result), ran.count]).toEqual(["polled", 1]);
  });

  test("is fetched by the official client", async () => {
    const { url, ran } = await listen();
    const client = new NewClient(ABOUT, { versionNegotiation: { mode: "legacy" } });
    await client.connect(new NewTransport(url));

    const result = await client.callTool({ name: "poll", arguments: {} });
    await client.close();

    expect([textOf(result), ran.count]).toEqual(["polled", 1]);
  });
});

describe("the official SDK 1 client over HTTP+SSE", () => {
  test("calls tools, and hears of changes", async () => {
    const { server, url } = await listen();
    const client = new Client(ABOUT);
    const changed = vi.fn();
    client.setNotificationHandler(ToolListChangedNotificationSchema, changed);
    await client.connect(new SSEClientTransport(new URL("/sse", url)) as Transport); // its own types disagree under exactOptionalPropertyTypes

    const result = await client.callTool({ name: "poll", arguments: {} });
    server.tool("another", {}, () => "");
    await vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(1));
    const { tools } = await client.listTools();
    await client.close();

    expect(textOf(result)).toBe("polled");
    expect(tools.map(({ name }) => name)).toEqual(["poll", "another"]);
  });
});

describe("a call to a resumable server of the official SDK 1 that closes its streams", () => {
  test("is fetched by the Mortise client", async () => {
    const { target, stop } = await startServer({ transport: "http", program: "sdk-http-resumable" });
    const client = new MCPClient({ ...target, timeout: 10_000 });

    const result = await client.callTool("poll");
    await client.close();
    await stop();

    expect([result.text, result.isError]).toEqual(["polled", false]);
  });
});

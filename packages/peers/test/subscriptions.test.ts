import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";

const servers: MCPServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

function createServer(): MCPServer {
  const server = new MCPServer({ name: "notices", version: "1.0.0", tools: [], prompts: [] });
  servers.push(server);
  server.resource("memo://a", {}, () => "text");
  return server;
}

/** The two ends of a pipe within this process. */
function createPipeTransport(server: MCPServer): Transport {
  const transport: Transport = {
    async start() {
      connection = server.connectPipe({
        transport: "memory",
        write: (text) => queueMicrotask(() => transport.onmessage?.(JSON.parse(text))),
        onClose: () => transport.onclose?.(),
      });
    },
    send: async (message) => connection?.receive(structuredClone(message)),
    close: async () => connection?.close(),
  };
  let connection: ReturnType<MCPServer["connectPipe"]> | undefined;
  return transport;
}

const WAYS = [
  {
    name: "over HTTP",
    async connect(server: MCPServer): Promise<Transport> {
      const { url } = await server.listen(http({ port: 0 }));
      return new StreamableHTTPClientTransport(new URL(url));
    },
  },
  { name: "on a pipe", connect: async (server: MCPServer) => createPipeTransport(server) },
] as const;

describe.each(WAYS)("the official client, modern, $name", ({ connect }) => {
  async function open(): Promise<{ server: MCPServer; client: Client; heard: string[] }> {
    const server = createServer();
    const heard: string[] = [];
    const client = new Client(
      { name: "peer", version: "1.0.0" },
      { versionNegotiation: { mode: { pin: "2026-07-28" } } },
    );
    client.setNotificationHandler("notifications/tools/list_changed", () => void heard.push("tools"));
    client.setNotificationHandler("notifications/prompts/list_changed", () => void heard.push("prompts"));
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => void heard.push(params.uri));
    await client.connect(await connect(server));
    return { server, client, heard };
  }

  test("hears what it listens for, and nothing else", async () => {
    const { server, client, heard } = await open();

    const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ["memo://a"] });
    server.notify.promptsChanged();
    server.tool("late", {}, () => "");
    server.notify.resourceUpdated("memo://a");
    await vi.waitFor(() => expect(heard).toHaveLength(2));

    expect(subscription.honoredFilter).toEqual({ toolsListChanged: true, resourceSubscriptions: ["memo://a"] });
    expect(new Set(heard)).toEqual(new Set(["tools", "memo://a"]));
    await client.close();
  });

  test("hears nothing any more once it has closed its subscription", async () => {
    const { server, client, heard } = await open();
    const subscription = await client.listen({ toolsListChanged: true });

    await subscription.close();
    await vi.waitFor(() => expect(server.inside.core.inFlight.size).toBe(0));
    server.notify.toolsChanged();
    await client.listTools();

    expect(await subscription.closed).toBe("local");
    expect(heard).toEqual([]);
    await client.close();
  });

  test("takes the end of its subscription for a deliberate one when the server closes", async () => {
    const { server, client } = await open();
    const subscription = await client.listen({ promptsListChanged: true });

    await server.close();

    expect(await subscription.closed).toBe("graceful");
    await client.close();
  });
});

import type { JsonObject } from "@mortise/core";
import { MCPServer, type ServerOptions } from "@mortise/server";
import { open, type PipeClient } from "../pipe-client.js";

export const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
/** Asks for the changes of every list. */
export const ALL = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };

/** A server that has something of every feature. */
export function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", tools: [], prompts: [], ...options });
  server.resource("test://one", {}, () => "one");
  return server;
}

export function listen(client: PipeClient, notifications: unknown, id: string | number = 1): void {
  client.modern("subscriptions/listen", { notifications }, id);
}

/** Opens a stream and forgets its acknowledgement. */
export function startListening(server: MCPServer, notifications: JsonObject, id: string | number = 1): PipeClient {
  const client = open(server);
  listen(client, notifications, id);
  client.received.length = 0;
  return client;
}

export function listChanged(feature: string, id: unknown): JsonObject {
  return {
    jsonrpc: "2.0",
    method: `notifications/${feature}/list_changed`,
    params: { _meta: { [SUBSCRIPTION]: id } },
  };
}

export function updated(uri: string, id: unknown): JsonObject {
  return { jsonrpc: "2.0", method: "notifications/resources/updated", params: { _meta: { [SUBSCRIPTION]: id }, uri } };
}

import { MCPServer, type ServerOptions } from "@mortise/server";
import type { Sent } from "./adapters.js";

/** A server with a few tools, and how often a handler ran. */
export interface Fixture {
  readonly server: MCPServer;
  readonly ran: { count: number };
}

/** Builds the server that the contract runs against. */
export function createFixture(options: Partial<ServerOptions> = {}): Fixture {
  const ran = { count: 0 };
  const server = new MCPServer({ name: "fixture", version: "1.0.0", ...options });
  const anything = { type: "object" } as const;
  server.tool("echo", { description: "Gives back its text", input: anything }, (args) => {
    ran.count += 1;
    return String((args as { text?: unknown }).text ?? "");
  });
  server.tool("later", { description: "Answers after some milliseconds", input: anything }, async (args) => {
    ran.count += 1;
    await new Promise((resolve) => setTimeout(resolve, Number((args as { ms?: unknown }).ms ?? 1)));
    return "later";
  });
  server.tool("count", { description: "Reports progress", input: anything }, async (args, context) => {
    ran.count += 1;
    const steps = Number((args as { steps?: unknown }).steps ?? 3);
    for (let step = 1; step <= steps; step += 1) await context.progress(step, steps);
    return "counted";
  });
  server.tool("crash", { description: "Fails", input: anything }, () => {
    ran.count += 1;
    throw new Error("it broke");
  });
  return { server, ran };
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** Headers of a client that knows the rules. */
export const PLAIN_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** A modern request, headers and all. */
export function modern(
  method: string,
  params: Record<string, unknown> = {},
  { id = 1, meta = {}, headers = {} }: { id?: unknown; meta?: object; headers?: Record<string, string> } = {},
): Sent & { headers: Record<string, string>; body: string } {
  const name = method === "tools/call" ? { "mcp-name": String(params.name) } : {};
  return {
    headers: { ...PLAIN_HEADERS, "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...name, ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...META, ...meta } } }),
  };
}

/** A legacy request. `version: undefined` sends no version header. */
export function legacy(
  method: string,
  params: Record<string, unknown> = {},
  options: { id?: unknown; version?: string | undefined } = {},
): Sent & { headers: Record<string, string>; body: string } {
  const { id, version } = { id: 1, version: "2025-06-18", ...options };
  return {
    headers: { ...PLAIN_HEADERS, ...(version === undefined ? {} : { "mcp-protocol-version": version }) },
    body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
  };
}

/** The params of a legacy opening. */
export function opening(protocolVersion: string): Record<string, unknown> {
  return { protocolVersion, capabilities: {}, clientInfo: { name: "probe", version: "1" } };
}

import type { JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import type { PipeConnection } from "@mortise/server/transport";
import { modernMeta } from "./eras.js";

/** A client at the other end of a pipe. */
export interface PipeClient {
  readonly connection: PipeConnection;
  /** Every message it was sent. */
  readonly received: JsonObject[];
  request(method: string, params?: JsonObject, id?: string | number): void;
  notify(method: string, params: JsonObject): void;
  /** Opens as a legacy client, and forgets what was received. */
  agree(version?: string): void;
  modern(method: string, params?: JsonObject, id?: string | number): void;
}

/** One call of a tool that ends when it is told. */
export interface HeldCall {
  release(): void;
  readonly signal: AbortSignal;
  progress(value: number): void;
}

export const HANDSHAKE = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "probe", version: "1" },
};

/** A client at the other end of a pipe: what it says, and every message it was sent. */
export function open(server: MCPServer): PipeClient {
  const received: JsonObject[] = [];
  const connection = server.connectPipe({
    transport: "memory",
    write: (text) => void received.push(JSON.parse(text)),
  });
  let ids = 0;
  return {
    connection,
    received,
    request(method: string, params?: JsonObject, id: string | number = ++ids) {
      connection.receive({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
    },
    notify: (method: string, params: JsonObject) => connection.receive({ jsonrpc: "2.0", method, params }),
    agree(version = "2025-06-18") {
      connection.receive({
        jsonrpc: "2.0",
        id: "open",
        method: "initialize",
        params: { ...HANDSHAKE, protocolVersion: version },
      });
      connection.receive({ jsonrpc: "2.0", method: "notifications/initialized" });
      received.length = 0;
    },
    modern(method: string, params: JsonObject = {}, id: string | number = ++ids) {
      connection.receive({
        jsonrpc: "2.0",
        id,
        method,
        params: { ...params, _meta: modernMeta(params._meta as JsonObject | undefined) },
      });
    },
  };
}

export function createServer(): MCPServer {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool("echo", { input: { type: "object" } }, (args) => JSON.stringify(args));
  return server;
}

/** A tool that ends when it is told, and says what became of its signal. */
export function addHeld(server: MCPServer, name = "held"): HeldCall[] {
  const calls: HeldCall[] = [];
  server.tool(name, {}, (_, context) => {
    return new Promise<string>((resolve) => {
      calls.push({
        release: () => resolve("done"),
        signal: context.signal,
        progress: (value) => void context.progress(value),
      });
    });
  });
  return calls;
}

export const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 5));

import { type JsonObject, LEGACY_PROTOCOL_VERSION, MODERN_PROTOCOL_VERSION } from "@mortise/core";
import type { HandleOptions, MCPServer } from "@mortise/server";
import { describe } from "vitest";

/** The `_meta` of a modern request. */
export function modernMeta(more: JsonObject = {}): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": MODERN_PROTOCOL_VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...more,
  };
}

/** What a test asks of a server, in the era it runs for. */
export interface Asker {
  readonly version: string;
  /** The response to one request, decoded. */
  ask(server: MCPServer, method: string, params?: JsonObject, options?: HandleOptions): Promise<Answer>;
  /** The response to a `tools/call`. */
  call(server: MCPServer, name: string, args?: JsonObject): Promise<Answer>;
}

/** A response, read loosely. */
export interface Answer {
  readonly id?: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results without describing them
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly error?: any;
}

/** Runs the same tests once for each era. */
export function describeEras(name: string, define: (asker: Asker) => void): void {
  describe(`${name} (modern)`, () => define(modern));
  describe(`${name} (legacy)`, () => define(legacy));
}

/** Asks as a modern client. */
export const modern: Asker = createAsker(MODERN_PROTOCOL_VERSION, (params = {}) => ({
  ...params,
  _meta: modernMeta(params._meta as JsonObject | undefined),
}));

/** Asks as a client of the newest legacy revision. */
export const legacy: Asker = createLegacy(LEGACY_PROTOCOL_VERSION);

/** Asks as a client of one legacy revision. */
export function createLegacy(version: string): Asker {
  return createAsker(version, (params) => params);
}

function createAsker(version: string, prepare: (params?: JsonObject) => JsonObject | undefined): Asker {
  async function ask(server: MCPServer, method: string, params?: JsonObject, options?: HandleOptions): Promise<Answer> {
    const prepared = prepare(params);
    const message = { jsonrpc: "2.0", id: 7, method, ...(prepared === undefined ? {} : { params: prepared }) };
    return (await server.handle(message, { protocolVersion: version, ...options })) as Answer;
  }
  return { version, ask, call: (server, name, args = {}) => ask(server, "tools/call", { name, arguments: args }) };
}

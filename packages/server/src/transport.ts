/*
 * What transports are built on: opening and running requests, and two-way lines of messages.
 *
 * Everything is reached through the server that a transport was given. Were anything imported, the server's own entry would have
 * to share it with this one, in a further file that every start reads.
 */
import type { JsonObject, JsonRpcRequest, Revision } from "@mortise/core";
import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import type { Sealed } from "./sealed.js";
import type { SealOptions } from "./sealer.js";
import type { MCPServer } from "./server.js";

export type { Call } from "./call.js";
export type { Agreement, Carrier } from "./carrier.js";
export type { Pipe, PipeConnection } from "./pipe.js";
export type { Sealed } from "./sealed.js";
export type { Attachment, ServerTransport } from "./server-transport.js";

/** Opens a request that says its version itself. Gives the call to `run`, or the answer that turns it away. */
export function openModern(server: MCPServer, request: JsonRpcRequest, carrier: Carrier): Call | Sealed {
  return server.inside.eras.modern.open(request, carrier);
}

/** Opens a request of a legacy client, read and answered by the given revision. Gives the call to `run`, or the answer that turns it away. */
export function openLegacy(
  server: MCPServer,
  request: JsonRpcRequest,
  carrier: Carrier,
  revision: Revision,
): Call | Sealed {
  return server.inside.eras.legacy.open(request, carrier, revision);
}

/**
 * Runs an opened call and seals what becomes of it. Never throws or rejects, and stays synchronous when the handler does.
 * The answer of a call that was cancelled meanwhile is empty, and must not be sent.
 */
export function run(call: Call): Sealed | Promise<Sealed> {
  return call.run();
}

/** The protocol versions that a server speaks, the preferred first. */
export function listServedVersions(server: MCPServer): readonly string[] {
  return server.inside.core.versions;
}

/** The `Mcp-Param-…` headers that the served tools ask for, in lower case. */
export function listParamHeaders(server: MCPServer): ReadonlySet<string> {
  const { items } = server.inside.core.tools.page(0, Number.POSITIVE_INFINITY);
  return new Set(items.flatMap(({ paramHeaders }) => paramHeaders.map(({ header }) => header)));
}

/**
 * Seals what a transport lets a client carry, such as a session id that says everything about itself: a token of visible ASCII
 * letters, which opens again and again for this purpose until `ttl` milliseconds are over (by default the server's
 * `state.ttl`). Rejects with `state_too_large`.
 */
export function sealToken(
  server: MCPServer,
  purpose: string,
  payload: JsonObject,
  { ttl }: Pick<SealOptions, "ttl"> = {},
): Promise<string> {
  return server.inside.core.sealer.seal(purpose, payload, { ttl, reusable: true });
}

/** What a token of `sealToken` holds; `undefined` where it is expired, changed, of another purpose or another server. Never rejects. */
export function openToken(server: MCPServer, purpose: string, token: string): Promise<JsonObject | undefined> {
  return server.inside.core.sealer.open(purpose, token);
}

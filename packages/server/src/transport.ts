/*
 * What transports are built on: opening and running requests, and two-way lines of messages.
 *
 * Everything is reached through the server that a transport was given. Were anything imported, the server's own entry would have
 * to share it with this one, in a further file that every start reads.
 */
import type { JsonRpcRequest, Revision } from "@mortise/core";
import type { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import type { Sealed } from "./sealed.js";
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

/** The revision of a legacy HTTP request that names none, which is what revisions without a version header look like. */
export function assumedRevision(server: MCPServer): Revision {
  return server.inside.core.assumed;
}

/** The protocol versions that a server speaks, newest first. */
export function listServedVersions(server: MCPServer): readonly string[] {
  return server.inside.core.versions;
}

/** The `Mcp-Param-…` headers that the served tools ask for, in lower case. */
export function listParamHeaders(server: MCPServer): ReadonlySet<string> {
  const { items } = server.inside.core.tools.page(0, Number.POSITIVE_INFINITY);
  return new Set(items.flatMap(({ paramHeaders }) => paramHeaders.map(({ header }) => header)));
}

/*
 * What transports are built on: opening and running requests, and two-way lines of messages.
 */
import type { JsonRpcRequest, Revision } from "@mortise/core";
import { Call } from "./call.js";
import type { Carrier } from "./carrier.js";
import { type Sealed, sealError } from "./sealed.js";
import type { MCPServer } from "./server.js";

export type { Agreement, Carrier } from "./carrier.js";
export type { Pipe, PipeConnection } from "./pipe.js";
export { run } from "./run.js";
export type { Sealed } from "./sealed.js";
export type { Attachment, ServerTransport } from "./server-transport.js";
export { Call, sealError };

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

import { Refusal } from "@mortise/core";
import type { Call } from "../call.js";
import * as mirrored from "../mirrored-headers.js";
import { type OpeningStep, parseInput, requireMethod, requireOpenServer } from "../opening.js";
import { findPreferred } from "../served-versions.js";

/** How a legacy request is let in. Routing headers are no duty here, but one that is there must be true. */
export const LEGACY_OPENING: readonly OpeningStep[] = [
  requireOpenServer,
  requireVersion,
  matchMethodHeader,
  matchNameHeader,
  requireMethod,
  parseInput,
];

/** The opening request asks for its version itself, and gets the best there is. */
function requireVersion(call: Call): Refusal | undefined {
  const { versions, revision, request } = call;
  if (request.method === "initialize")
    return findPreferred(versions, "legacy") === undefined ? refuseHandshake(call) : undefined;
  if (versions.includes(revision.id)) return undefined;
  return new Refusal("invalid_request", `Expected a protocol version this server speaks: ${versions.join(", ")}`);
}

/** An old client may show nothing but this message, so it names the versions. */
function refuseHandshake({ versions, request }: Call): Refusal {
  const message = `Expected a request without a handshake: this server speaks ${versions.join(", ")}`;
  return new Refusal("unsupported_version", message, {
    supported: versions,
    requested: request.params?.protocolVersion,
  });
}

function matchMethodHeader(call: Call): Refusal | undefined {
  const value = call.carrier.header?.("mcp-method");
  return value === undefined ? undefined : mirrored.matchMethodHeader(call, value);
}

function matchNameHeader(call: Call): Refusal | undefined {
  const value = call.carrier.header?.("mcp-name");
  return value === undefined ? undefined : mirrored.matchNameHeader(call, value);
}

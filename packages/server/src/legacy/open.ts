import { Refusal } from "@mortise/core";
import type { Call } from "../call.js";
import * as mirrored from "../mirrored-headers.js";
import { type OpeningStep, parseInput, requireMethod, requireOpenServer } from "../opening.js";

/** How a legacy request is let in. Routing headers are no duty here, but one that is there must be true. */
export const LEGACY_OPENING: readonly OpeningStep[] = [
  requireOpenServer,
  requireVersion,
  matchMethodHeader,
  matchNameHeader,
  requireMethod,
  parseInput,
];

/** The opening request asks for its version itself. */
function requireVersion(call: Call): Refusal | undefined {
  const { server, revision, request } = call;
  if (request.method === "initialize" || server.supports(revision.id)) return undefined;
  return new Refusal(
    "invalid_request",
    `Expected a protocol version this server speaks: ${server.versions.join(", ")}`,
  );
}

function matchMethodHeader(call: Call): Refusal | undefined {
  const value = call.carrier.header?.("mcp-method");
  return value === undefined ? undefined : mirrored.matchMethodHeader(call, value);
}

function matchNameHeader(call: Call): Refusal | undefined {
  const value = call.carrier.header?.("mcp-name");
  return value === undefined ? undefined : mirrored.matchNameHeader(call, value);
}

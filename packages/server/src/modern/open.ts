import { REVISIONS, Refusal, readEnvelope, toCapabilities } from "@mortise/core";
import type { Call } from "../call.js";
import { createMissing } from "../extensions.js";
import * as mirrored from "../mirrored-headers.js";
import { mismatch } from "../mirrored-headers.js";
import { type OpeningStep, parseInput, requireMethod, requireOpenServer } from "../opening.js";

/**
 * How a modern request is let in, in the order of
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation.
 * The steps about headers pass where the transport has none.
 */
export const MODERN_OPENING: readonly OpeningStep[] = [
  requireOpenServer,
  readCallEnvelope,
  matchVersionHeader,
  requireVersion,
  matchMethodHeader,
  matchNameHeader,
  mirrored.matchParamHeaders,
  requireMethod,
  requireExtension,
  parseInput,
  requireAsks,
];

function readCallEnvelope(call: Call): Refusal | undefined {
  const envelope = readEnvelope(call.request.params);
  if (envelope instanceof Refusal) return envelope;
  call.version = envelope.version;
  call.capabilities = envelope.capabilities;
  call.client = envelope.clientInfo;
  call.logLevel = envelope.logLevel;
  return undefined;
}

function matchVersionHeader(call: Call): Refusal | undefined {
  const { header } = call.carrier;
  if (header === undefined) return undefined;
  const value = header("mcp-protocol-version");
  return value === call.version ? undefined : mismatch("MCP-Protocol-Version", "params._meta", value);
}

function requireVersion(call: Call): Refusal | undefined {
  const { version = "", versions } = call;
  const revision = REVISIONS.get(version);
  if (revision?.era === "modern" && versions.includes(version)) {
    call.revision = revision;
    return undefined;
  }
  return new Refusal("unsupported_version", "Unsupported protocol version", {
    supported: versions,
    requested: version,
  });
}

function matchMethodHeader(call: Call): Refusal | undefined {
  const { header } = call.carrier;
  return header === undefined ? undefined : mirrored.matchMethodHeader(call, header("mcp-method"));
}

function matchNameHeader(call: Call): Refusal | undefined {
  const { header } = call.carrier;
  return header === undefined ? undefined : mirrored.matchNameHeader(call, header("mcp-name"));
}

function requireExtension(call: Call): Refusal | undefined {
  const id = call.method?.extension;
  if (id === undefined || call.declared(id) !== undefined) return undefined;
  const { message, data } = createMissing(id);
  return new Refusal("missing_capability", message, data);
}

function requireAsks(call: Call): Refusal | undefined {
  const asks = call.subject?.asks;
  if (asks === undefined || asks.length === 0) return undefined;
  const missing = asks.filter((ask) => !call.can.has(ask));
  if (missing.length === 0) return undefined;
  const message = `Expected the client to be able to answer ${missing.join(", ")}`;
  return new Refusal("missing_capability", message, { requiredCapabilities: toCapabilities(missing) });
}

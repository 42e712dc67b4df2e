import { describeType } from "../errors.js";
import { type Implementation, readImplementation } from "../implementation.js";
import { isObject, type JsonObject } from "../json.js";
import { isLogLevel, LOG_LEVELS, type LogLevel } from "../log-level.js";
import { Refusal } from "../refusal.js";

/** The `_meta` keys of the modern revisions. https://modelcontextprotocol.io/specification/2026-07-28/basic#meta */
export const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
export const CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo";
export const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
export const LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";
export const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** What a modern request says of itself in `_meta`. */
export interface Envelope {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: Implementation | undefined;
  readonly logLevel: LogLevel | undefined;
  readonly meta: JsonObject;
}

/**
 * Reads the envelope of a modern request. Refuses with `invalid_params` when the version or the capabilities are
 * missing or malformed, as https://modelcontextprotocol.io/specification/2026-07-28/basic#meta demands.
 */
export function readEnvelope(params: JsonObject | undefined): Envelope | Refusal {
  const meta = params?._meta;
  if (!isObject(meta)) return malformed("params._meta", "an object", meta);
  const version = meta[VERSION_KEY];
  if (typeof version !== "string") return malformed(`params._meta["${VERSION_KEY}"]`, "a string", version);
  const capabilities = meta[CAPABILITIES_KEY];
  if (!isObject(capabilities)) return malformed(`params._meta["${CAPABILITIES_KEY}"]`, "an object", capabilities);
  const info = meta[CLIENT_INFO_KEY];
  const clientInfo = info === undefined ? undefined : readImplementation(info);
  if (info !== undefined && clientInfo === undefined) {
    return malformed(`params._meta["${CLIENT_INFO_KEY}"]`, "an object with a name and a version", info);
  }
  const logLevel = meta[LOG_LEVEL_KEY];
  if (logLevel !== undefined && !isLogLevel(logLevel)) {
    return malformed(`params._meta["${LOG_LEVEL_KEY}"]`, `one of ${LOG_LEVELS.join(", ")}`, logLevel);
  }
  return { version, capabilities, clientInfo, logLevel, meta };
}

/** Writes the envelope that a modern client puts into the `_meta` of every request. */
export function createEnvelope(envelope: {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly clientInfo?: Implementation | undefined;
  readonly logLevel?: LogLevel | undefined;
}): JsonObject {
  const meta: JsonObject = { [VERSION_KEY]: envelope.version, [CAPABILITIES_KEY]: envelope.capabilities };
  if (envelope.clientInfo !== undefined) meta[CLIENT_INFO_KEY] = envelope.clientInfo;
  if (envelope.logLevel !== undefined) meta[LOG_LEVEL_KEY] = envelope.logLevel;
  return meta;
}

function malformed(member: string, expected: string, received: unknown): Refusal {
  return new Refusal("invalid_params", `Expected ${member} to be ${expected}, received ${describeType(received)}`);
}

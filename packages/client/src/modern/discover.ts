import { isObject, type JsonObject, RPC } from "@mortise/core";
import type { Evidence } from "../era.js";
import type { Answer } from "../link.js";

/** Errors that only a modern server sends. */
const MODERN_ERRORS: readonly number[] = [RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion];
/** Statuses that say something about access or load, and nothing about the era. */
const NO_EVIDENCE: readonly number[] = [401, 403, 408, 429];

/**
 * What the answer to `server/discover` shows.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
export function judgeAnswer(answer: Answer): Evidence {
  const { status } = answer.head;
  const is4xx = status >= 400 && status < 500;
  if (answer.kind === "result") {
    const supported = readSupported(answer.result);
    if (supported !== undefined) return { kind: "modern", supported, answer, result: answer.result };
  }
  if (answer.kind === "error") {
    const { code, data } = answer.error;
    if (code === RPC.unsupportedVersion) return { kind: "versions", supported: listVersions(data), answer };
    // Only a modern server gives an unknown method both a status and a JSON-RPC error.
    if (MODERN_ERRORS.includes(code) || (is4xx && code === RPC.methodNotFound)) return { kind: "refused", answer };
  }
  const isLegacy = is4xx ? !NO_EVIDENCE.includes(status) : status >= 200 && status < 300;
  return { kind: isLegacy ? "legacy" : "none", answer };
}

/** The versions in what `server/discover` gives; `undefined` for anything else. */
function readSupported({ supportedVersions, capabilities }: JsonObject): readonly string[] | undefined {
  if (!Array.isArray(supportedVersions) || !isObject(capabilities)) return undefined;
  return supportedVersions.every(isString) ? supportedVersions : undefined;
}

function listVersions(data: unknown): readonly string[] {
  return isObject(data) && Array.isArray(data.supported) ? data.supported.filter(isString) : [];
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

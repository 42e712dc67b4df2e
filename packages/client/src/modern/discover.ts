import { isObject, type JsonObject, RPC } from "@mortise/core";
import type { Evidence } from "../era.js";
import type { Answer, ErrorAnswer } from "../link.js";

/** What only a modern server shows. */
type ModernEvidence = Exclude<Evidence, { kind: "legacy" | "none" }>;

/** Errors that only a modern server sends. */
const MODERN_ERRORS: ReadonlySet<number> = new Set([RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion]);
/** Statuses that say something about access or load, and nothing about the era. */
const NO_EVIDENCE: ReadonlySet<number> = new Set([401, 403, 408, 429]);

/** Tells whether a result is what `server/discover` gives. */
function isDiscoverResult(result: JsonObject): boolean {
  const { supportedVersions, capabilities } = result;
  return (
    Array.isArray(supportedVersions) &&
    supportedVersions.every((version) => typeof version === "string") &&
    isObject(capabilities)
  );
}

/** What an answer shows when the server is known to be modern: `undefined` for anything else than a modern server says. */
export function judgeModernAnswer(answer: Answer): ModernEvidence | undefined {
  if (answer.kind === "result" && isDiscoverResult(answer.result)) return { kind: "modern", result: answer.result };
  return answer.kind === "error" ? judgeModernError(answer) : undefined;
}

/**
 * What the answer to `server/discover` over HTTP shows.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#backward-compatibility
 */
export function judgeHttpAnswer(answer: Answer): Evidence {
  const { status } = answer.head;
  const modern = judgeModernAnswer(answer);
  if (modern !== undefined) return modern;
  // Only a modern server gives an unknown method both a status and a JSON-RPC error.
  if (answer.kind === "error" && is4xx(status) && answer.error.code === RPC.methodNotFound)
    return { kind: "refused", answer };
  if (NO_EVIDENCE.has(status)) return { kind: "none", answer };
  if (is4xx(status)) return { kind: "legacy", why: describeRefusal(answer) };
  if (status >= 200 && status < 300)
    return {
      kind: "legacy",
      why: answer.kind === "error" ? describeError(answer) : "the answer to server/discover was no discover result",
    };
  return { kind: "none", answer };
}

function judgeModernError(answer: ErrorAnswer): ModernEvidence | undefined {
  if (!MODERN_ERRORS.has(answer.error.code)) return undefined;
  if (answer.error.code !== RPC.unsupportedVersion) return { kind: "refused", answer };
  const { data } = answer.error;
  const supported = isObject(data) && Array.isArray(data.supported) ? data.supported : [];
  return { kind: "versions", supported: supported.filter((version) => typeof version === "string"), answer };
}

function is4xx(status: number): boolean {
  return status >= 400 && status < 500;
}

function describeRefusal(answer: Answer): string {
  if (answer.kind === "error") return describeError(answer);
  const body = answer.kind === "refused" ? answer.body.trim() : "";
  return `server/discover got HTTP ${answer.head.status}${body === "" ? "" : `: ${body}`}`;
}

/** The error of a server that does not know the question, in words. */
export function describeError(answer: ErrorAnswer): string {
  return `server/discover got error ${answer.error.code}: ${answer.error.message}`;
}

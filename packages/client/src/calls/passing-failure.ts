import { isObject, JsonRpcError, MCPTimeoutError, MortiseError } from "@mortise/core";

/** Failures on the way to a server and back. What was sent may have been carried out. */
const ON_THE_WAY: ReadonlySet<string> = new Set(["connection_failed", "stream_ended"]);
/** Statuses of servers that may do better in a moment. */
const BUSY: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/** Whether sending a request again may help: it did not get through, or the server is busy. */
export function isWorthRepeating(error: unknown): boolean {
  if (error instanceof MortiseError && ON_THE_WAY.has(error.code)) return true;
  return BUSY.has(readStatus(error) ?? 0);
}

/** Whether a failure is one of the network, or of a server that is down: it says nothing about what was asked for. */
export function isPassing(error: unknown): boolean {
  if (error instanceof MCPTimeoutError || isWorthRepeating(error)) return true;
  return error instanceof MortiseError && (readStatus(error) ?? 0) >= 500;
}

/** The HTTP status that a request was refused with, whether or not the body held an error of the protocol. */
function readStatus(error: unknown): number | undefined {
  const isRefusal = error instanceof JsonRpcError || (error instanceof MortiseError && error.code === "http_status");
  if (!isRefusal || !isObject(error.cause)) return undefined;
  return typeof error.cause.status === "number" ? error.cause.status : undefined;
}

/** The `Retry-After` header of a refusal. */
export function readRetryHeader(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return isObject(cause) && typeof cause.retryAfter === "string" ? cause.retryAfter : undefined;
}

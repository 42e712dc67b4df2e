import { type ErrorCode, isObject, JsonRpcError, MortiseError, RPC } from "@mortise/core";
import { readRetryAfter } from "../retry-after.js";

/** How long to wait at most before a lost stream is asked for the first time, in milliseconds. Doubles with every attempt. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 30_000;
/** How long a server can make the client wait by `Retry-After`, in milliseconds. */
const LONGEST_NAMED_MS = 300_000;
/** A stream that lived so long was no failure: what follows is quick again. */
const LONG_LIFE_MS = 10_000;

/** Errors of a server that would say the same again. */
const FINAL_RPC: ReadonlySet<number> = new Set([
  RPC.methodNotFound,
  RPC.invalidParams,
  RPC.invalidRequest,
  RPC.headerMismatch,
  RPC.missingCapability,
  RPC.unsupportedVersion,
]);
/** Statuses of servers that may say something else in a moment, whatever error they send along. */
const BUSY: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
/** Failures that only somebody else can mend. */
const FINAL_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "not_offered",
  "unauthorized",
  "login_required",
  "login_denied",
  "login_failed",
  "address_refused",
  "redirect_refused",
  "unsupported_version",
  "not_modern",
  "needs_node",
  "invalid_options",
]);
/** Statuses below 500 that may be others in a moment. A server that is being replaced is often not found. */
const PASSING: ReadonlySet<number> = new Set([404, 408, 425, 429]);

/** Tells whether another attempt would fail in the same way. */
export function isFinal(error: Error): boolean {
  const status = isObject(error.cause) ? error.cause.status : undefined;
  if (error instanceof JsonRpcError) return FINAL_RPC.has(error.code) && !BUSY.has(Number(status));
  if (!(error instanceof MortiseError)) return false;
  if (error.code !== "http_status" || typeof status !== "number") return FINAL_CODES.has(error.code);
  return status < 500 && !PASSING.has(status);
}

/** How long to wait before each attempt. */
export interface Backoff {
  /** The stream begins. */
  begin(): void;
  /** The stream has broken. */
  end(): void;
  /** How long to wait after a failure, in milliseconds: never the same for all clients of a server. */
  next(error: Error): number;
}

export function createBackoff(): Backoff {
  let attempts = 0;
  let startedAt = 0;
  return {
    begin() {
      startedAt = performance.now();
    },
    end() {
      if (performance.now() - startedAt >= LONG_LIFE_MS) attempts = 0;
    },
    next(error) {
      const longest = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS);
      attempts += 1;
      const named = readNamedWait(error);
      const wait = named === undefined ? longest / 2 : Math.max(longest / 2, Math.min(named, LONGEST_NAMED_MS));
      return wait + Math.random() * (longest / 2);
    },
  };
}

function readNamedWait({ cause }: Error): number | undefined {
  const header = isObject(cause) ? cause.retryAfter : undefined;
  return typeof header === "string" ? readRetryAfter(header) : undefined;
}

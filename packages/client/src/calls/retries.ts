import { describeType, type JsonObject, MCPTimeoutError, MortiseError } from "@mortise/core";
import type { Call } from "../connection.js";
import { readRetryAfter } from "../retry-after.js";
import type { AroundTools, Send } from "./around-tools.js";
import { isWorthRepeating, readRetryHeader } from "./passing-failure.js";

/** The first wait is about so long, in milliseconds. Doubles with every attempt. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 10_000;
/** A server that wants to be left alone for longer is not asked again, in milliseconds. */
const LONGEST_RETRY_AFTER_MS = 30_000;
/** How long all attempts of a request may take whose timeout progress resets, unless told otherwise. */
const DEFAULT_MAX_TOTAL_MS = 3_600_000;

/** Requests that change nothing, so that they can be sent twice. */
const SAFE: ReadonlySet<string> = new Set([
  "server/discover",
  "ping",
  "tools/list",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
]);

/** How attempts are repeated. */
export interface RepeatOptions {
  /** How often at most, after the first attempt. */
  readonly retries: number;
  /** How long all of it may take, in milliseconds; `undefined` means for ever. */
  readonly totalMs?: number | undefined;
  readonly signal: AbortSignal | undefined;
  readonly tools: Pick<AroundTools, "untilAborted">;
}

/**
 * How often a request may be repeated: safe ones as the client says, others only when they say it themselves. Throws
 * `invalid_options` for what is no count.
 */
export function countRetries({ method, options }: Call, ofClient: number): number {
  const own: unknown = options?.retries;
  if (own === undefined) return SAFE.has(method) ? ofClient : 0;
  if (typeof own === "number" && Number.isSafeInteger(own) && own >= 0) return own;
  throw new MortiseError(
    "invalid_options",
    `Expected "retries" to be a whole number, 0 or more, received ${typeof own === "number" ? own : describeType(own)}`,
  );
}

/** Sends a request, and again while that may help, within the time that the request has in all. */
export function sendAgain(
  call: Call,
  send: Send,
  { retries, timeout, tools }: { retries: number; timeout: number | undefined; tools: AroundTools },
): Promise<JsonObject> {
  const { options = {} } = call;
  const ofOne = options.timeout ?? timeout ?? 0;
  const total = options.maxTotalTimeout ?? (options.resetTimeoutOnProgress === true ? DEFAULT_MAX_TOTAL_MS : ofOne);
  const totalMs = total > 0 ? total : undefined;
  const attempt = async (leftMs: number | undefined): Promise<JsonObject> => {
    try {
      return await send(leftMs === undefined ? call : shorten(call, leftMs));
    } catch (error) {
      if (leftMs === undefined || !(error instanceof MCPTimeoutError) || error.timeoutMs !== leftMs) throw error;
      // What was left is not what the caller has set.
      throw new MCPTimeoutError(`Request "${call.method}" was not answered within ${total} ms`, { timeoutMs: total });
    }
  };
  return repeat(attempt, { retries, totalMs, signal: options.signal, tools });
}

/**
 * Tries until it works, or sending again would not help. Rejects with the last failure. `attempt` gets how much time is left,
 * from the second one on.
 */
export async function repeat<T>(
  attempt: (leftMs: number | undefined) => Promise<T>,
  options: RepeatOptions,
): Promise<T> {
  const { retries, totalMs = Number.POSITIVE_INFINITY, signal, tools } = options;
  const beganAt = performance.now();
  let leftMs: number | undefined;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(leftMs);
    } catch (error) {
      if (failures >= retries || !isWorthRepeating(error)) throw error;
      const asked = readRetryAfter(readRetryHeader(error));
      const pause = Math.max(asked ?? 0, choosePause(failures));
      leftMs = totalMs - (performance.now() - beganAt) - pause;
      if ((asked ?? 0) > LONGEST_RETRY_AFTER_MS || leftMs <= 0) throw error;
      if (leftMs === Number.POSITIVE_INFINITY) leftMs = undefined;
      await sleep(pause, signal, tools);
    }
  }
}

/** Half of the time is left to chance, so that clients which failed together do not come back together. */
function choosePause(failures: number): number {
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
  return longest * (0.5 + Math.random() / 2);
}

async function sleep(ms: number, signal: AbortSignal | undefined, tools: RepeatOptions["tools"]): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const elapsed = (): Promise<void> =>
    new Promise((resolve) => {
      timer = setTimeout(resolve, ms);
    });
  try {
    await tools.untilAborted(elapsed, signal);
  } finally {
    clearTimeout(timer);
  }
}

function shorten(call: Call, leftMs: number): Call {
  const { options = {} } = call;
  // A limit for all of it ends the last attempt, too, whatever progress comes.
  return { ...call, options: { ...options, maxTotalTimeout: leftMs } };
}

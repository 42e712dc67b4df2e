import { readRefusal } from "../providers/provider-refusal.js";
import { findNetworkCode, isSpent } from "./explain-failure.js";
import { readRetryAfter } from "./retry-after.js";

/** How calls are repeated. */
export interface RetryOptions {
  readonly signal: AbortSignal;
  /** When the time is over, by `performance.now()`. */
  readonly deadline: number;
  /** Hears of each wait, in milliseconds. */
  onWait(milliseconds: number): void;
}

const ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529]);
const PASSING_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "ETIMEDOUT", "EAI_AGAIN", "UND_ERR_SOCKET"]);

/**
 * Calls, and calls again where what went wrong may pass: too many requests, a failure of the provider's, a broken connection. Waits
 * for as long as the provider asks, or twice as long each time. Gives up, with the last error, after three calls, or where the wait
 * would take longer than there is time.
 */
export async function retry<T>(call: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      options.signal.throwIfAborted();
      const wait = attempt < ATTEMPTS ? chooseWait(error, attempt) : undefined;
      if (wait === undefined || performance.now() + wait >= options.deadline) throw error;
      options.onWait(wait);
      await sleep(wait, options.signal);
    }
  }
}

/** How long to wait before another call, in milliseconds; `undefined` where it would end in the same way. */
function chooseWait(error: unknown, attempt: number): number | undefined {
  const usual = FIRST_WAIT_MS * 2 ** (attempt - 1);
  const refusal = readRefusal(error);
  const status = refusal?.status;
  if (refusal !== undefined && status !== undefined && (status < 200 || status > 299))
    return PASSING_STATUSES.has(status) && !isSpent(refusal) ? (readRetryAfter(refusal.headers) ?? usual) : undefined;
  const code = findNetworkCode(error);
  return code !== undefined && PASSING_CODES.has(code) ? usual : undefined;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}

import { describeType, isObject, type JsonObject, MCPTimeoutError, MortiseError, type RequestId } from "@mortise/core";
import { readTimeLimit, startDeadline, type TimeLimits } from "./deadline.js";
import type { RequestControl, Session } from "./era.js";
import { toError } from "./failures.js";
import type { Flight } from "./link.js";
import type { Progress, RequestOptions } from "./options.js";
import type { HeaderList } from "./platform/platform.js";

/** How long a request whose timeout progress resets may take in all, unless told otherwise. */
const DEFAULT_MAX_TOTAL_MS = 3_600_000;

/** One request, and everything that can end it. */
export interface RunOptions {
  readonly method: string;
  readonly params?: JsonObject | undefined;
  readonly options?: RequestOptions | undefined;
  /** The client's own timeout. */
  readonly timeout: number | undefined;
  readonly mirror?: HeaderList | undefined;
  onProblem(problem: Error): void;
}

/**
 * Sends a request and waits for its result, a timeout or an abort, whichever is first. What gives up tells the server.
 * Rejects with `MCPTimeoutError`, `aborted`, and whatever the session rejects with.
 */
export async function runRequest(session: Session, run: RunOptions): Promise<JsonObject> {
  const { method, options } = run;
  const params = withMeta(run.params, options?.meta);
  const limits = readLimits(options, run.timeout);
  const signal = options?.signal;
  checkSignal(signal);

  let flight: Flight | undefined;
  let id: RequestId | undefined;
  let stopped: Error | undefined;
  const stop = (error: Error): void => {
    if (stopped !== undefined) return;
    stopped = error;
    flight?.drop(error);
    if (id !== undefined)
      session.cancel(id, error instanceof MCPTimeoutError ? "The request timed out" : "The request was given up");
  };
  const deadline = startDeadline(limits, (timeoutMs) =>
    stop(new MCPTimeoutError(`Request "${method}" was not answered within ${timeoutMs} ms`, { timeoutMs })),
  );
  const onAbort = (): void => stop(abortError(signal));
  signal?.addEventListener("abort", onAbort);
  const control: RequestControl = {
    mirror: run.mirror,
    onProgress:
      options?.onProgress === undefined && !limits.resets
        ? undefined
        : (progress) => {
            deadline?.touch();
            reportProgress(progress, options?.onProgress, run.onProblem);
          },
    track(next, nextId) {
      flight = next;
      id = nextId;
      // Given up while the session was being renewed: the new flight is not wanted any more.
      if (stopped !== undefined) next.drop(stopped);
    },
  };
  try {
    return await session.request(method, params, control);
  } finally {
    deadline?.clear();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** Rejects as soon as the signal aborts; the work itself goes on for others. It is not begun once the signal has aborted. */
export async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  checkSignal(signal);
  if (signal === undefined) return begin();
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortError(signal));
    signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([begin(), aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
  }
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (typeof (signal as { addEventListener?: unknown } | null)?.addEventListener !== "function")
    throw new MortiseError(
      "invalid_options",
      `Expected "signal" to be an AbortSignal, received ${describeType(signal)}`,
    );
  if (signal.aborted) throw abortError(signal);
}

function abortError(signal: AbortSignal | undefined): MortiseError {
  return new MortiseError("aborted", "The request was given up by its signal", { cause: signal?.reason });
}

function readLimits(options: RequestOptions | undefined, clientTimeout: number | undefined): TimeLimits {
  if (options === undefined) return { timeout: clientTimeout, maxTotalTimeout: undefined, resets: false };
  const resets = options.resetTimeoutOnProgress === true;
  const total = options.maxTotalTimeout ?? (resets ? DEFAULT_MAX_TOTAL_MS : 0);
  return {
    timeout: options.timeout === undefined ? clientTimeout : readTimeLimit("timeout", options.timeout),
    maxTotalTimeout: readTimeLimit("maxTotalTimeout", total),
    resets,
  };
}

function reportProgress(
  params: JsonObject,
  onProgress: ((progress: Progress) => void) | undefined,
  onProblem: (problem: Error) => void,
): void {
  if (onProgress === undefined || !isObject(params) || typeof params.progress !== "number") return;
  const { progress, total, message } = params;
  try {
    onProgress({
      progress,
      total: typeof total === "number" ? total : undefined,
      message: typeof message === "string" ? message : undefined,
    });
  } catch (error) {
    onProblem(toError(error));
  }
}

function withMeta(params: JsonObject | undefined, meta: JsonObject | undefined): JsonObject | undefined {
  if (meta === undefined) return params;
  return { ...params, _meta: isObject(params?._meta) ? { ...params._meta, ...meta } : meta };
}

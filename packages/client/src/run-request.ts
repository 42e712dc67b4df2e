import {
  describeType,
  invalidOptions,
  isObject,
  type JsonObject,
  MCPTimeoutError,
  MortiseError,
  type RequestId,
  toError,
} from "@mortise/core";
import { Deadline, readTimeLimit, type TimeLimits } from "./deadline.js";
import type { RequestControl, Session } from "./era.js";
import type { Flight } from "./link.js";
import type { RequestOptions } from "./options.js";
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
  readonly onAsked?: RequestControl["onAsked"];
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

  const running = new Running(session, run, limits);
  const onAbort = (): void => running.stop(abortError(signal));
  signal?.addEventListener("abort", onAbort);
  try {
    return await session.request(method, params, running);
  } finally {
    running.clear();
    signal?.removeEventListener("abort", onAbort);
  }
}

/** A request on its way, and its time limit. One object for all of it, as there is one for every request. */
class Running extends Deadline implements RequestControl {
  readonly mirror: HeaderList | undefined;
  readonly onProgress: RequestControl["onProgress"];
  readonly onAsked: RequestControl["onAsked"];
  readonly #session: Session;
  #flight: Flight | undefined;
  #id: RequestId | undefined;
  #stopped: Error | undefined;
  /** Ends what is waited for besides the server. */
  #onStop: ((error: Error) => void) | undefined;

  constructor(session: Session, { method, options, mirror, onAsked, onProblem }: RunOptions, limits: TimeLimits) {
    super(limits);
    this.onExpire = (timeoutMs) =>
      this.stop(new MCPTimeoutError(`Request "${method}" was not answered within ${timeoutMs} ms`, { timeoutMs }));
    this.mirror = mirror;
    this.onAsked = onAsked;
    this.#session = session;
    const onProgress = options?.onProgress;
    if (onProgress === undefined && !limits.resets) return;
    this.onProgress = (progress) => {
      this.touch();
      if (progress === undefined) return;
      try {
        onProgress?.(progress);
      } catch (error) {
        onProblem(toError(error));
      }
    };
  }

  track(flight: Flight, id: RequestId): void {
    this.#flight = flight;
    this.#id = id;
    // Given up while the session was being renewed: the new flight is not wanted any more.
    if (this.#stopped !== undefined) flight.drop(this.#stopped);
    flight.onHeld = (held) => (held ? this.pause() : this.resume());
  }

  orStopped<T>(begin: () => Promise<T>): Promise<T> {
    // What was sent has been answered: nothing of it can be given up any more.
    this.#flight = undefined;
    this.#id = undefined;
    return new Promise((resolve, reject) => {
      if (this.#stopped !== undefined) throw this.#stopped;
      this.#onStop = reject;
      begin().then(resolve, reject);
    });
  }

  stop(error: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = error;
    this.#onStop?.(error);
    this.#flight?.drop(error);
    if (this.#id !== undefined)
      this.#session.cancel(
        this.#id,
        error instanceof MCPTimeoutError ? "The request timed out" : "The request was given up",
      );
  }
}

/** Rejects as soon as the signal aborts; the work itself goes on for others. It is not begun once the signal has aborted. */
export async function untilAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  checkSignal(signal);
  if (signal === undefined) return begin();
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortError(signal));
    signal.addEventListener("abort", onAbort);
    begin()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function checkSignal(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  if (typeof (signal as { addEventListener?: unknown } | null)?.addEventListener !== "function")
    throw invalidOptions(`"signal" to be an AbortSignal, received ${describeType(signal)}`);
  if (signal.aborted) throw abortError(signal);
}

function abortError(signal: AbortSignal | undefined): MortiseError {
  return new MortiseError("aborted", "The request was given up by its signal", { cause: signal?.reason });
}

function readLimits(options: RequestOptions | undefined, clientTimeout: number | undefined): TimeLimits {
  if (options === undefined) return { timeout: clientTimeout };
  const resets = options.resetTimeoutOnProgress === true;
  const total = options.maxTotalTimeout ?? (resets ? DEFAULT_MAX_TOTAL_MS : 0);
  return {
    timeout: options.timeout === undefined ? clientTimeout : readTimeLimit("timeout", options.timeout),
    maxTotalTimeout: readTimeLimit("maxTotalTimeout", total),
    resets,
  };
}

function withMeta(params: JsonObject | undefined, meta: JsonObject | undefined): JsonObject | undefined {
  if (meta === undefined) return params;
  return { ...params, _meta: isObject(params?._meta) ? { ...params._meta, ...meta } : meta };
}

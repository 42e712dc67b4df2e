import { invalidOptions, LONGEST_DELAY, MCPTimeoutError } from "@mortise/core";
import type { Answer, Flight } from "./link.js";

/** How long one request may take, read from the options. `undefined` means for ever. */
export interface TimeLimits {
  readonly timeout: number | undefined;
  readonly maxTotalTimeout: number | undefined;
  readonly resets: boolean;
}

/** A running time limit. */
export interface Deadline {
  /** Progress came: start the timeout anew where that was asked for, within the total. */
  touch(): void;
  /** Something else than the server is waited for: only the total goes on running. */
  pause(): void;
  /** The server is waited for again: the timeout starts anew. */
  resume(): void;
  clear(): void;
}

/**
 * Reads a time limit in milliseconds. `0`, `Infinity` and 2^31 or more mean none. Throws `invalid_options` for a
 * negative value, `NaN`, and anything that is no number.
 */
export function readTimeLimit(name: string, value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
    throw invalidOptions(`"${name}" to be a number of milliseconds, 0 or more; 0 means no limit`);
  }
  return value === 0 || value > LONGEST_DELAY ? undefined : value;
}

/** Starts a time limit; `onExpire` gets the limit that was passed, once. */
export function startDeadline(limits: TimeLimits, onExpire: (limitMs: number) => void): Deadline | undefined {
  const { timeout, maxTotalTimeout } = limits;
  if (timeout === undefined && maxTotalTimeout === undefined) return undefined;
  return new RunningDeadline(limits, onExpire);
}

/** Waits for an answer within a time, which is held while something else than the server is waited for. `what` begins the error. */
export async function answerWithin(flight: Flight, timeout: number | undefined, what: string): Promise<Answer> {
  const limits = { timeout, maxTotalTimeout: undefined, resets: false };
  const deadline = startDeadline(limits, (timeoutMs) =>
    flight.drop(new MCPTimeoutError(`${what} within ${timeoutMs} ms`, { timeoutMs })),
  );
  flight.onHeld = (held) => (held ? deadline?.pause() : deadline?.resume());
  try {
    return await flight.answer;
  } finally {
    deadline?.clear();
  }
}

class RunningDeadline implements Deadline {
  readonly #limits: TimeLimits;
  readonly #onExpire: (limitMs: number) => void;
  readonly #startedAt: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #paused = false;
  #over = false;

  constructor(limits: TimeLimits, onExpire: (limitMs: number) => void) {
    this.#limits = limits;
    this.#onExpire = onExpire;
    this.#startedAt = limits.maxTotalTimeout === undefined ? 0 : performance.now();
    this.#arm();
  }

  touch(): void {
    if (this.#limits.resets && !this.#paused) this.#arm();
  }

  pause(): void {
    this.#paused = true;
    this.#arm();
  }

  resume(): void {
    this.#paused = false;
    this.#arm();
  }

  clear(): void {
    this.#over = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    if (this.#over) return;
    clearTimeout(this.#timer);
    const { maxTotalTimeout } = this.#limits;
    const timeout = this.#paused ? undefined : this.#limits.timeout;
    const left =
      maxTotalTimeout === undefined
        ? Number.POSITIVE_INFINITY
        : maxTotalTimeout - (performance.now() - this.#startedAt);
    if (timeout === undefined && maxTotalTimeout === undefined) return;
    const total = timeout === undefined || left < timeout;
    const limit = (total ? maxTotalTimeout : timeout) ?? 0; // the one that is shorter is set
    this.#timer = setTimeout(() => this.#expire(limit), total ? Math.max(left, 0) : limit);
  }

  #expire(limit: number): void {
    this.#over = true;
    this.#onExpire(limit);
  }
}

import { invalidOptions, LONGEST_DELAY, MCPTimeoutError } from "@mortise/core";
import type { Answer, Flight } from "./link.js";

/** How long one request may take, read from the options. `undefined` means for ever. */
export interface TimeLimits {
  readonly timeout: number | undefined;
  readonly maxTotalTimeout?: number | undefined;
  /** Whether progress starts the timeout anew, within the total. */
  readonly resets?: boolean;
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

/** A running time limit. */
export class Deadline {
  /** Gets the limit that was passed, once. */
  onExpire: ((limitMs: number) => void) | undefined;
  readonly #limits: TimeLimits;
  readonly #total: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;

  constructor(limits: TimeLimits, onExpire?: (limitMs: number) => void) {
    this.#limits = limits;
    this.onExpire = onExpire;
    this.#total = this.#start(limits.maxTotalTimeout);
    this.#timer = this.#start(limits.timeout);
  }

  /** Progress came: starts the timeout anew where that was asked for. */
  touch(): void {
    if (this.#limits.resets === true) this.#arm();
  }

  /** Something else than the server is waited for: only the total goes on running. Every call needs one of `resume`. */
  pause(): void {
    this.#pauses += 1;
    clearTimeout(this.#timer);
  }

  /** The server is waited for again: the timeout starts anew. */
  resume(): void {
    this.#pauses -= 1;
    this.#arm();
  }

  /** Ends it. */
  clear(): void {
    // However often it is resumed, it does not start again.
    this.#pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
    clearTimeout(this.#total);
  }

  #arm(): void {
    if (this.#pauses > 0) return;
    clearTimeout(this.#timer);
    this.#timer = this.#start(this.#limits.timeout);
  }

  #start(ms: number | undefined): ReturnType<typeof setTimeout> | undefined {
    return ms === undefined ? undefined : setTimeout(() => this.#expire(ms), ms);
  }

  #expire(limitMs: number): void {
    this.clear();
    this.onExpire?.(limitMs);
  }
}

/** Waits for an answer within a time, which is held while something else than the server is waited for. `what` begins the error. */
export async function answerWithin(flight: Flight, timeout: number | undefined, what: string): Promise<Answer> {
  const deadline = new Deadline({ timeout }, (timeoutMs) =>
    flight.drop(new MCPTimeoutError(`${what} within ${timeoutMs} ms`, { timeoutMs })),
  );
  flight.onHeld = (held) => (held ? deadline.pause() : deadline.resume());
  try {
    return await flight.answer;
  } finally {
    deadline.clear();
  }
}

import { LONGEST_DELAY, MortiseError } from "@mortise/core";

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
  clear(): void;
}

/**
 * Reads a time limit in milliseconds. `0`, `Infinity` and 2^31 or more mean none. Throws `invalid_options` for a
 * negative value, `NaN`, and anything that is no number.
 */
export function readTimeLimit(name: string, value: unknown): number | undefined {
  if (typeof value !== "number" || Number.isNaN(value) || value < 0) {
    throw new MortiseError(
      "invalid_options",
      `Expected "${name}" to be a number of milliseconds, 0 or more; 0 means no limit`,
    );
  }
  return value === 0 || value > LONGEST_DELAY ? undefined : value;
}

/** Starts a time limit; `onExpire` gets the limit that was passed, once. */
export function startDeadline(limits: TimeLimits, onExpire: (limitMs: number) => void): Deadline | undefined {
  const { timeout, maxTotalTimeout, resets } = limits;
  if (timeout === undefined && maxTotalTimeout === undefined) return undefined;
  const startedAt = maxTotalTimeout === undefined ? 0 : performance.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (): void => {
    const left =
      maxTotalTimeout === undefined ? Number.POSITIVE_INFINITY : maxTotalTimeout - (performance.now() - startedAt);
    const total = timeout === undefined || left < timeout;
    const limit = (total ? maxTotalTimeout : timeout) ?? 0; // one of both is set, or there would be no deadline
    timer = setTimeout(() => onExpire(limit), total ? Math.max(left, 0) : limit);
  };
  arm();
  return {
    touch() {
      if (!resets || timer === undefined) return;
      clearTimeout(timer);
      arm();
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

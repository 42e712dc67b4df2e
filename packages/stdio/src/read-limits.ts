import { describeType, LONGEST_DELAY, MortiseError } from "@mortise/core";

/** Reads a limit in bytes. Throws `invalid_options`, naming the option, for anything but a positive whole number. */
export function readBytes(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw wrong(name, "a positive whole number of bytes", value);
}

/**
 * Reads a time in milliseconds; one that is longer than timers wait becomes the longest. Throws `invalid_options`, naming
 * the option, for a negative one, `NaN` and anything that is no number.
 */
export function readMilliseconds(name: string, value: unknown, fallback: number): number {
  if (value === undefined) return fallback;
  if (typeof value === "number" && value >= 0) return Math.min(value, LONGEST_DELAY);
  throw wrong(name, "a number of milliseconds, 0 or more", value);
}

function wrong(name: string, expected: string, value: unknown): MortiseError {
  const received = typeof value === "number" ? String(value) : describeType(value);
  return new MortiseError("invalid_options", `Expected "${name}" to be ${expected}, received ${received}`);
}

import { isObject, MortiseError } from "@mortise/core";

/**
 * A value as it comes back from JSON; nothing stays nothing. Throws `invalid_options`, naming `what` it is, for a value that JSON
 * cannot hold.
 */
export function toJsonValue(value: unknown, what: string): unknown {
  if (value === undefined) return undefined;
  const expected = `Expected ${what} to be a JSON value`;
  const text = stringify(value, expected);
  // JSON silently keeps nothing of a Map or an Error.
  if (text === undefined || (text === "{}" && isObject(value) && !isPlain(value)))
    throw new MortiseError("invalid_options", expected);
  return JSON.parse(text);
}

function stringify(value: unknown, expected: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new MortiseError("invalid_options", expected, { cause });
  }
}

function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === "[object Object]";
}

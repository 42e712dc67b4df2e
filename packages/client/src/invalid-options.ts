import { MortiseError } from "@mortise/core";

/** The failure of an option, or of what a caller passes: it says what was expected. */
export function invalidOptions(expected: string, cause?: unknown): MortiseError {
  return new MortiseError("invalid_options", `Expected ${expected}`, cause === undefined ? undefined : { cause });
}

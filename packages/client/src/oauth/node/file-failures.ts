import { MortiseError } from "@mortise/core";

/** Tells whether an error is one of the system's, with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = readCode(error);
  return code !== undefined && codes.includes(code);
}

/** Tells whether Windows refused a file because another process has it open or is just deleting it, which passes. */
export function isBusy(error: unknown): boolean {
  return process.platform === "win32" && hasCode(error, "EPERM", "EACCES", "EBUSY");
}

/** A failure of the file that credentials are kept in: what could not be done, and the system's reason. */
export function describeFileFailure(what: string, error: unknown): MortiseError {
  if (error instanceof MortiseError) return error;
  const code = readCode(error);
  return new MortiseError("login_failed", code === undefined ? what : `${what} (${code})`, { cause: error });
}

function readCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

import { MortiseError } from "@mortise/core";

/** Turns whatever was thrown into an `Error`. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The short reason below a network failure: its code where there is one. */
export function describeCause(error: Error): string {
  const code = (error as Error & { code?: unknown }).code; // Node puts a code on system errors
  if (typeof code === "string") return code;
  return error.cause instanceof Error ? describeCause(error.cause) : error.message;
}

/** The address of an endpoint as it may be shown: without user, password, query and fragment. */
export function describeUrl(url: URL): string {
  return url.origin + url.pathname;
}

/** The failure of a request that was dropped because the client was closed. */
export function closedError(): MortiseError {
  return new MortiseError("connection_closed", "The client was closed; call connect() to open it again");
}

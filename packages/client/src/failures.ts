import { MortiseError } from "@mortise/core";
import { platform } from "#platform";

/** The short reason below a network failure: its code where there is one, and what that means. */
export function describeCause(error: Error): string {
  const code = (error as Error & { code?: unknown }).code; // Node puts a code on system errors
  if (typeof code === "string") return platform.explain?.(code) ?? code;
  return error.cause instanceof Error ? describeCause(error.cause) : error.message;
}

/** A part of a path that is as long as a key may be one, and no name that a specification gave. */
const POSSIBLE_KEY = /(\.well-known\/)?[^/]{20,}/g;

/** The address of an endpoint as it may be shown: without user, password, query, fragment, and parts that could be keys. */
export function describeUrl(url: URL): string {
  return url.origin + url.pathname.replace(POSSIBLE_KEY, (part, known) => (known === undefined ? "…" : part));
}

/** Tells whether there was no way to the server. In a browser, what is loaded on first use may not be had then either. */
export function isConnectionFailure(error: unknown): error is MortiseError {
  return error instanceof MortiseError && error.code === "connection_failed";
}

/** The failure of a request that was dropped because the client was closed. */
export function closedError(): MortiseError {
  return new MortiseError("connection_closed", "The client was closed; call connect() to open it again");
}

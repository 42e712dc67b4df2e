import { MortiseError } from "@mortise/core";

/** Tells whether this code runs in a web page or one of its workers, where the browser may hide why a request failed. */
export function isBrowser(): boolean {
  const scope = globalThis as {
    document?: unknown;
    WorkerGlobalScope?: unknown;
    location?: { origin?: unknown };
    Deno?: unknown;
    Bun?: unknown;
  }; // members that only some runtimes have
  if (scope.Deno !== undefined || scope.Bun !== undefined) return false;
  if (typeof scope.document === "object" && scope.document !== null) return true;
  return typeof scope.WorkerGlobalScope === "function" && typeof scope.location?.origin === "string";
}

/**
 * Tells whether a failure may be a refused preflight: a browser shows nothing but a `TypeError` then, without a cause.
 * Everywhere else a `TypeError` is an ordinary network failure.
 */
export function isOpaqueFailure(error: unknown): error is MortiseError {
  return (
    error instanceof MortiseError &&
    error.code === "connection_failed" &&
    error.cause instanceof TypeError &&
    error.cause.cause === undefined &&
    isBrowser()
  );
}

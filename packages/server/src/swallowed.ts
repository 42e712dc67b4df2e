import { MortiseError } from "@mortise/core";
import type { Settled } from "./handler-run.js";
import type { Suspension } from "./ledger.js";

/** How far the causes of an error are followed. */
const DEEPEST_CAUSE = 8;

/**
 * What the server's owner is told of a handler that did not let its suspension pass; nothing where it did. Loaded with the first
 * run that was suspended.
 */
export function findSwallowed(settled: Settled, suspension: Suspension): MortiseError | undefined {
  if ("error" in settled && isCausedBy(settled.error, suspension)) return undefined;
  const message = "Expected the handler to let its suspension pass: what it returned or threw instead was dropped";
  return new MortiseError("input_required", message, "error" in settled ? { cause: settled.error } : undefined);
}

/** Whether a handler that failed did so because it was suspended. */
function isCausedBy(error: unknown, suspension: Suspension): boolean {
  let each = error;
  for (let depth = 0; depth < DEEPEST_CAUSE && each instanceof Error; depth += 1) {
    if (each === suspension) return true;
    if (each instanceof AggregateError && each.errors.includes(suspension)) return true;
    each = each.cause;
  }
  return false;
}

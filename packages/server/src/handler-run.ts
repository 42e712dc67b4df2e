import type { JsonObject } from "@mortise/core";
import type { Call } from "./call.js";
import { InputRequired } from "./input-required.js";

/** What became of a handler. */
export type Settled = { readonly returned: unknown } | { readonly error: unknown };

/** What has to be known of a handler that asked something. */
export interface HandlerRun {
  /** Runs the handler from its beginning; again, where it has run. */
  again(): unknown;
  toResult(returned: unknown): JsonObject | Promise<JsonObject>;
  /** Makes a result of a failure, or throws the error that is to be sent. */
  toFailure(error: unknown): JsonObject;
}

/** Whether a handler asked something: on its way, or in place of a result. */
export function hasAsked(call: Call, returned?: unknown): boolean {
  return call.ledger !== undefined || returned instanceof InputRequired;
}

/** Runs a handler, and makes a result of what it returned or failed with. The handler begins at once. */
export async function runHandler(call: Call, run: HandlerRun): Promise<JsonObject> {
  let settled: Settled;
  try {
    settled = { returned: await run.again() };
  } catch (error) {
    settled = { error };
  }
  return hasAsked(call, "returned" in settled ? settled.returned : undefined)
    ? concludeRun(call, settled, run)
    : settleRun(settled, run);
}

/** Makes the result of a handler that asked something. */
export function concludeRun(call: Call, settled: Settled, run: HandlerRun): Promise<JsonObject> {
  return call.questions.conclude(settled, run);
}

/** Makes a result of what became of a handler, its questions aside. */
export async function settleRun(settled: Settled, run: HandlerRun): Promise<JsonObject> {
  if ("error" in settled) return run.toFailure(settled.error);
  try {
    return await run.toResult(settled.returned);
  } catch (error) {
    return run.toFailure(error);
  }
}

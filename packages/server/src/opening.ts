import { isJsonRpcError, Refusal } from "@mortise/core";
import type { Call } from "./call.js";
import type { Method } from "./method.js";
import { readRetry } from "./retry.js";

/** One step of opening a request: lets the call pass, or says why it is turned away. */
export type OpeningStep = (call: Call) => Refusal | undefined;

/** Takes a call through the steps, in order, up to the first refusal. */
export function takeSteps(call: Call, steps: readonly OpeningStep[]): Refusal | undefined {
  for (const step of steps) {
    const refusal = step(call);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** A closed server serves nobody. */
export function requireOpenServer(call: Call): Refusal | undefined {
  return call.server.closed ? new Refusal("closed", "The server is closed") : undefined;
}

/** The method has to be in the era's table, and its feature on. */
export function requireMethod(call: Call): Refusal | undefined {
  if (call.method !== undefined && isOffered(call, call.method)) return undefined;
  return new Refusal("method_not_found", `Method not found: ${call.request.method.slice(0, 128)}`);
}

/** The params have to be what the method takes. */
export function parseInput(call: Call): Refusal | undefined {
  try {
    const { era, method, request } = call;
    call.input = method?.parse(request.params, call);
    if (era.retries && method?.asks === true) call.retry = readRetry(request.params);
    return undefined;
  } catch (error) {
    if (isJsonRpcError(error)) return new Refusal("invalid_params", error.message, error.data);
    throw error;
  }
}

function isOffered(call: Call, method: Method): boolean {
  const { needs } = method;
  if (needs !== undefined && (call.carrier[needs] ?? false) === false) return false;
  return method.feature === undefined || call.server.offers(method.feature);
}

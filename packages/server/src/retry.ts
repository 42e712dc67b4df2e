import { invalidParams, isObject, type JsonObject } from "@mortise/core";

/** What a client sends along when it asks again with answers. */
export interface Retry {
  /** What it was told to send back. */
  readonly state: string | undefined;
  /** The answers by the keys of their questions, unread. */
  readonly responses: JsonObject;
}

/**
 * Reads what a request brings of earlier rounds; `undefined` for a first one. Throws a `JsonRpcError` (-32602).
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#inputresponses
 */
export function readRetry(params: JsonObject | undefined): Retry | undefined {
  if (params === undefined) return undefined;
  const { requestState: state, inputResponses: responses } = params;
  if (state === undefined && responses === undefined) return undefined;
  if (state !== undefined && typeof state !== "string") throw invalidParams("params.requestState", "a string", state);
  if (responses !== undefined && !isObject(responses))
    throw invalidParams("params.inputResponses", "an object", responses);
  return { state, responses: responses ?? {} };
}

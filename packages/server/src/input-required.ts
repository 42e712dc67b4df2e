import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { expectOption } from "./check-options.js";
import type { Question } from "./question.js";

/** A question as the protocol writes it. */
export interface InputRequest {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params?: JsonObject | undefined;
}

/** What a handler needs before it can go on. */
export interface InputDemand {
  /** The questions by their keys. */
  readonly inputRequests?: Readonly<Record<string, Question | InputRequest>> | undefined;
  /** What the handler wants to find again as `ctx.inputState`: any JSON value. The client can neither read nor change it. */
  readonly state?: unknown;
}

/** What `inputRequired` makes. */
export class InputRequired {
  readonly requests: Readonly<Record<string, Question | InputRequest>>;
  readonly state: unknown;

  /** @internal */
  constructor(requests: Readonly<Record<string, Question | InputRequest>>, state: unknown) {
    this.requests = requests;
    this.state = state;
  }

  /** @internal Its state is not for clients, wherever else it was returned. */
  toJSON(): never {
    throw new TypeError("Expected inputRequired() to be returned by the handler of a tool, a prompt or a resource");
  }
}

/**
 * Asks the client in place of an answer: returned by the handler of a tool, a prompt or a resource, which runs again with the
 * answers as `ctx.inputResponses`. Throws `invalid_options` where there is neither a question nor state.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 */
export function inputRequired(demand: InputDemand): InputRequired {
  expectOption(isObject(demand), "what is required", 'an object with "inputRequests" or "state"', demand);
  const { inputRequests = {}, state } = demand;
  expectOption(isObject(inputRequests), '"inputRequests"', "an object of questions by their keys", inputRequests);
  if (state === undefined && Object.keys(inputRequests).length === 0)
    throw new MortiseError("invalid_options", 'Expected at least one of "inputRequests" and "state"');
  return new InputRequired(inputRequests, state);
}

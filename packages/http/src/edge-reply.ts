import { type ErrorObject, type RequestId, RPC } from "@mortise/core";
import type { HeaderList } from "./exchange.js";

/** What the gate answers when a request does not get through: nearly always a refusal. */
export interface EdgeReply {
  /** 0 where nobody is left to be answered, or somebody else has taken that over. */
  readonly status: number;
  /** The JSON-RPC error in the body. Left out for an answer without one. */
  readonly error?: ErrorObject;
  /** The id of the request that is refused, where it could be read. */
  readonly id?: RequestId | undefined;
  /** Headers besides those that every answer has. */
  readonly headers?: HeaderList;
}

/** A list of headers without any. */
export const NO_HEADERS: HeaderList = Object.freeze([]);

/** Refuses a request for a fault of its sender's. */
export function refuse(status: number, message: string, headers: HeaderList = NO_HEADERS): EdgeReply {
  return { status, error: { code: RPC.invalidRequest, message }, headers };
}

/** Says that this end failed, and nothing about how. */
export function failInternally(message = "Internal error"): EdgeReply {
  return { status: 500, error: { code: RPC.internalError, message } };
}

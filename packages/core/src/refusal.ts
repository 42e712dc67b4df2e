import type { ErrorCode } from "./errors.js";
import type { ErrorObject } from "./json-rpc.js";
import { toWireError } from "./wire-error.js";

/** Expected traffic that is turned away: returned as data, never thrown. */
export class Refusal {
  /** Why, as one of the local codes. */
  readonly code: ErrorCode;
  /** What the peer is told. */
  readonly error: ErrorObject;

  constructor(code: ErrorCode, message: string, data?: unknown) {
    this.code = code;
    const rpc = toWireError(code).rpc;
    this.error = data === undefined ? { code: rpc, message } : { code: rpc, message, data };
  }

  /** The HTTP status this refusal has at the edge. */
  get status(): number {
    return toWireError(this.code).http;
  }
}

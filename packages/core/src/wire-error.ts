import { type ErrorCode, RPC } from "./errors.js";

/** What a failure becomes on the wire: its JSON-RPC number, and its HTTP status at the edge. */
export interface WireError {
  readonly rpc: number;
  readonly http: number;
}

/** The failures that are told apart on the wire. */
const WIRE_ERRORS: Readonly<Partial<Record<ErrorCode, WireError>>> = {
  parse_error: { rpc: RPC.parseError, http: 400 },
  invalid_request: { rpc: RPC.invalidRequest, http: 400 },
  invalid_params: { rpc: RPC.invalidParams, http: 400 },
  method_not_found: { rpc: RPC.methodNotFound, http: 404 },
  header_mismatch: { rpc: RPC.headerMismatch, http: 400 },
  missing_capability: { rpc: RPC.missingCapability, http: 400 },
  unsupported_version: { rpc: RPC.unsupportedVersion, http: 400 },
  body_too_large: { rpc: RPC.invalidRequest, http: 413 },
  closed: { rpc: RPC.internalError, http: 503 },
};
const INTERNAL: WireError = { rpc: RPC.internalError, http: 500 };

/** What a local failure becomes when it has to be told to a peer: an internal error, unless the protocol has a word for it. */
export function toWireError(code: ErrorCode): WireError {
  return WIRE_ERRORS[code] ?? INTERNAL;
}

import { type ErrorCode, RPC } from "./errors.js";

/** What a failure becomes on the wire: its JSON-RPC number, and its HTTP status at the edge. */
export interface WireError {
  readonly rpc: number;
  readonly http: number;
}

/** The failures that are told apart on the wire: by which number, and with which status. */
const WIRE_ERRORS: Readonly<Partial<Record<ErrorCode, readonly [rpc: keyof typeof RPC, http: number]>>> = {
  parse_error: ["parseError", 400],
  invalid_request: ["invalidRequest", 400],
  invalid_params: ["invalidParams", 400],
  method_not_found: ["methodNotFound", 404],
  header_mismatch: ["headerMismatch", 400],
  missing_capability: ["missingCapability", 400],
  unsupported_version: ["unsupportedVersion", 400],
  body_too_large: ["invalidRequest", 413],
  closed: ["internalError", 503],
};

/** What a local failure becomes when it has to be told to a peer: an internal error, unless the protocol has a word for it. */
export function toWireError(code: ErrorCode): WireError {
  const [rpc, http] = WIRE_ERRORS[code] ?? ["internalError", 500];
  return { rpc: RPC[rpc], http };
}

/** The error numbers that messages carry, by name. */
export const RPC = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
  resourceNotFound: -32002,
} as const;

/** Tells failures apart. A code keeps its meaning once released. */
export type ErrorCode =
  | "parse_error"
  | "invalid_request"
  | "invalid_params"
  | "method_not_found"
  | "header_mismatch"
  | "missing_capability"
  | "unsupported_version"
  | "body_too_large"
  | "closed"
  | "internal"
  | "invalid_options"
  | "duplicate_name"
  | "invalid_param_header"
  | "schema_unsupported"
  | "schema_invalid"
  | "schema_dialect"
  | "schema_too_large"
  | "schema_ref"
  | "unsafe_pattern"
  | "invalid_output"
  | "address_in_use"
  | "connection_failed"
  | "connection_closed"
  | "stream_ended"
  | "http_status"
  | "unauthorized"
  | "redirect_refused"
  | "invalid_response"
  | "response_too_large"
  | "initialize_refused"
  | "not_modern"
  | "input_required"
  | "unknown_result_type"
  | "aborted"
  | "needs_node";

/** What each local failure becomes when it has to be told to a peer: its JSON-RPC number, and its HTTP status at the edge. */
export const WIRE_ERRORS: Readonly<Record<ErrorCode, { readonly rpc: number; readonly http: number }>> = {
  parse_error: { rpc: RPC.parseError, http: 400 },
  invalid_request: { rpc: RPC.invalidRequest, http: 400 },
  invalid_params: { rpc: RPC.invalidParams, http: 400 },
  method_not_found: { rpc: RPC.methodNotFound, http: 404 },
  header_mismatch: { rpc: RPC.headerMismatch, http: 400 },
  missing_capability: { rpc: RPC.missingCapability, http: 400 },
  unsupported_version: { rpc: RPC.unsupportedVersion, http: 400 },
  body_too_large: { rpc: RPC.invalidRequest, http: 413 },
  closed: { rpc: RPC.internalError, http: 503 },
  internal: { rpc: RPC.internalError, http: 500 },
  invalid_options: { rpc: RPC.internalError, http: 500 },
  duplicate_name: { rpc: RPC.internalError, http: 500 },
  invalid_param_header: { rpc: RPC.internalError, http: 500 },
  schema_unsupported: { rpc: RPC.internalError, http: 500 },
  schema_invalid: { rpc: RPC.internalError, http: 500 },
  schema_dialect: { rpc: RPC.internalError, http: 500 },
  schema_too_large: { rpc: RPC.internalError, http: 500 },
  schema_ref: { rpc: RPC.internalError, http: 500 },
  unsafe_pattern: { rpc: RPC.internalError, http: 500 },
  invalid_output: { rpc: RPC.internalError, http: 500 },
  address_in_use: { rpc: RPC.internalError, http: 500 },
  connection_failed: { rpc: RPC.internalError, http: 502 },
  connection_closed: { rpc: RPC.internalError, http: 502 },
  stream_ended: { rpc: RPC.internalError, http: 502 },
  http_status: { rpc: RPC.internalError, http: 502 },
  unauthorized: { rpc: RPC.internalError, http: 502 },
  redirect_refused: { rpc: RPC.internalError, http: 502 },
  invalid_response: { rpc: RPC.internalError, http: 502 },
  response_too_large: { rpc: RPC.internalError, http: 502 },
  initialize_refused: { rpc: RPC.internalError, http: 502 },
  not_modern: { rpc: RPC.internalError, http: 502 },
  input_required: { rpc: RPC.internalError, http: 502 },
  unknown_result_type: { rpc: RPC.internalError, http: 502 },
  aborted: { rpc: RPC.internalError, http: 500 },
  needs_node: { rpc: RPC.internalError, http: 500 },
};

/** A local failure that callers can tell apart by `code`. */
export class MortiseError extends Error {
  override readonly name = "MortiseError";
  /** What kind of failure this is. */
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/**
 * An error as the wire carries it: received from the peer, or thrown by a handler to be sent as it is. Making one throws
 * `TypeError` for a code that is no integer.
 */
export class JsonRpcError extends Error {
  override readonly name = "JsonRpcError";
  /** The JSON-RPC error number. */
  readonly code: number;
  /** What the error carries besides its message, or `undefined`. */
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, options?: ErrorOptions) {
    super(message, options);
    // Another code could not be sent, and whoever made the mistake learns where.
    if (!Number.isInteger(code))
      throw new TypeError(`Expected the code to be an integer, received ${describeType(code)}`);
    this.code = code;
    this.data = data;
  }
}

/** A request that was not answered within its time. */
export class MCPTimeoutError extends Error {
  override readonly name = "MCPTimeoutError";
  /** How long was waited, in milliseconds. */
  readonly timeoutMs: number;

  constructor(message: string, options: { readonly timeoutMs: number }) {
    super(message);
    this.timeoutMs = options.timeoutMs;
  }
}

/** Names what a value is, for error messages: never its content. */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value === undefined) return "nothing";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** An `invalid_params` error to be sent: what was expected where, and the type of what came. */
export function invalidParams(member: string, expected: string, received: unknown): JsonRpcError {
  return new JsonRpcError(
    RPC.invalidParams,
    `Expected "${member}" to be ${expected}, received ${describeType(received)}`,
  );
}

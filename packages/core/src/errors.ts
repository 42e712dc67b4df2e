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
  | "state_too_large"
  | "invalid_output"
  | "address_in_use"
  | "connection_failed"
  | "connection_closed"
  | "stream_ended"
  | "http_status"
  | "unauthorized"
  | "login_required"
  | "login_denied"
  | "login_failed"
  | "address_refused"
  | "redirect_refused"
  | "invalid_response"
  | "stale_result"
  | "response_too_large"
  | "initialize_refused"
  | "not_modern"
  | "not_offered"
  | "input_required"
  | "invalid_answer"
  | "unknown_result_type"
  | "aborted"
  | "needs_node";

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

/**
 * Tells whether an error is one to be sent as it is. By what it looks like, since a program can hold two copies of this
 * package, through two versions of what stands on it.
 */
export function isJsonRpcError(error: unknown): error is JsonRpcError {
  if (!(error instanceof Error) || error.name !== "JsonRpcError") return false;
  return Number.isInteger((error as Error & { code?: unknown }).code); // any error may have one
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

/** Turns whatever was thrown into an `Error`. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
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

import { isObject, type JsonObject } from "./json.js";

/** Tells one request of a sender from its others. `0` and `""` are valid; `null` never is. */
export type RequestId = string | number;

/** A message that wants an answer. */
export interface JsonRpcRequest {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** A message that is never answered. */
export interface JsonRpcNotification {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** What went wrong, as it stands on the wire. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The answer to a request that succeeded. */
export interface JsonRpcResultResponse {
  readonly jsonrpc: "2.0";
  readonly id: RequestId;
  readonly result: JsonObject;
}

/** The answer to a request that failed. The id is left out when it could not be read. */
export interface JsonRpcErrorResponse {
  readonly jsonrpc: "2.0";
  readonly id?: RequestId | undefined;
  readonly error: ErrorObject;
}

/** Either answer. */
export type JsonRpcResponse = JsonRpcResultResponse | JsonRpcErrorResponse;

/** Any single message. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;

/** What a decoded JSON value is to JSON-RPC. A batch is any array; its entries are classified one by one. */
export type MessageKind = "request" | "notification" | "response" | "batch" | "invalid";

/** Tells whether a value can be a request id: a string or a safe integer. */
export function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/**
 * Classifies a decoded JSON value. Strict: version "2.0", ids that are strings or safe integers, `params` an object,
 * and either `result` or `error`. Members it does not know are tolerated.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic#messages
 */
export function classifyMessage(value: unknown): MessageKind {
  if (!isObject(value)) return Array.isArray(value) ? "batch" : "invalid";
  if (value.jsonrpc !== "2.0") return "invalid";
  if (value.method === undefined) return isResponse(value) ? "response" : "invalid";
  if (typeof value.method !== "string" || value.method === "") return "invalid";
  if (value.params !== undefined && !isObject(value.params)) return "invalid";
  if (value.result !== undefined || value.error !== undefined) return "invalid";
  if (value.id === undefined) return Object.hasOwn(value, "id") ? "invalid" : "notification";
  return isRequestId(value.id) ? "request" : "invalid";
}

/** The id of a message that may be malformed, or `undefined` where none can be read. */
export function readableId(value: unknown): RequestId | undefined {
  return isObject(value) && isRequestId(value.id) ? value.id : undefined;
}

/** Builds a request. */
export function createRequest(id: RequestId, method: string, params?: JsonObject): JsonRpcRequest {
  return params === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params };
}

/** Builds a notification. */
export function createNotification(method: string, params?: JsonObject): JsonRpcNotification {
  return params === undefined ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params };
}

/** Builds the answer to a request that succeeded. */
export function createResult(id: RequestId, result: JsonObject): JsonRpcResultResponse {
  return { jsonrpc: "2.0", id, result };
}

/** Builds the answer to a request that failed; without an id, the member is left out. */
export function createError(id: RequestId | undefined, error: ErrorObject): JsonRpcErrorResponse {
  return id === undefined ? { jsonrpc: "2.0", error } : { jsonrpc: "2.0", id, error };
}

function isResponse(value: JsonObject): boolean {
  if (isObject(value.result)) return value.error === undefined && isRequestId(value.id);
  // Peers older than 2025-11-25 send `"id": null` for a request whose id they could not read.
  return isErrorObject(value.error) && value.result === undefined && (value.id == null || isRequestId(value.id));
}

function isErrorObject(value: unknown): value is ErrorObject {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === "string";
}

import { isJsonRpcError, isObject, type JsonRpcError, RPC } from "@mortise/core";

/**
 * Tells whether a request was refused because the server has no such resource: with -32602 that names the address in its `data`, as
 * servers do since 2026-07-28, or with the -32002 of those before.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/resources#error-handling
 */
export function isResourceNotFound(error: unknown): error is JsonRpcError {
  if (!isJsonRpcError(error)) return false;
  const { code, data } = error;
  return (
    code === RPC.resourceNotFound || (code === RPC.invalidParams && isObject(data) && typeof data.uri === "string")
  );
}

import { isJsonRpcError, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "./call.js";

/**
 * What a caller is told when the code behind `name` fails: what was thrown to be sent, and of anything else nothing, while the
 * server's owner is told everything.
 */
export function toSentError(call: Call, name: string, error: unknown): JsonRpcError {
  if (isJsonRpcError(error)) return error;
  if (!call.cancelled) call.server.report(error, { method: call.request.method, name });
  return new JsonRpcError(RPC.internalError, "Internal error");
}

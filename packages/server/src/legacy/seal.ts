import { type ErrorCode, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "../call.js";
import { MembersText, type Outcome, type Result } from "../outcome.js";
import { isHeavy } from "../result-weight.js";
import { encodeId, type Sealed, sealError, sealShared } from "../sealed.js";

/** What a legacy client is told within a successful exchange. Everything else is the transport's failure. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["method_not_found", "invalid_params"]);

/** Turns what became of a call into an answer of its revision. */
export function seal(call: Call, outcome: Outcome): Sealed {
  switch (outcome.kind) {
    case "done":
      return sealResult(call, outcome.result);
    case "refused": {
      const { refusal } = outcome;
      return sealError(call.id, refusal.error, WITHIN_200.has(refusal.code) ? 200 : refusal.status);
    }
    case "failed":
      return sealFailure(call, outcome.error);
  }
}

function sealResult(call: Call, result: Result): Sealed {
  if (result instanceof MembersText) return sealShared(call.id, result.tail(""));
  const projected = withoutType(call.method?.project?.(result, call) ?? result);
  return { text: encodeResult(call, projected), status: 200 };
}

function encodeResult(call: Call, result: JsonObject): string {
  if (isHeavy(result)) return JSON.stringify({ jsonrpc: "2.0", id: call.id, result });
  return `{"jsonrpc":"2.0","id":${encodeId(call.id)},"result":${encodeObject(result)}}`;
}

/** A handler written for modern clients may say what its result is; these revisions have no such member. */
function withoutType(result: JsonObject): JsonObject {
  if (!("resultType" in result)) return result;
  const { resultType: _, ...rest } = result;
  return rest;
}

function encodeObject(result: JsonObject): string {
  const text = JSON.stringify(result);
  if (!text.startsWith("{")) throw new TypeError("Expected a result that JSON holds as an object");
  return text;
}

function sealFailure(call: Call, error: unknown): Sealed {
  if (!(error instanceof JsonRpcError))
    return sealError(call.id, { code: RPC.internalError, message: "Internal error" }, 200);
  return sealError(
    call.id,
    { code: error.code, message: error.message, ...(error.data === undefined ? {} : { data: error.data }) },
    200,
  );
}

import { type ErrorCode, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "../call.js";
import { MembersText, type Outcome, type Result } from "../outcome.js";
import { isHeavy } from "../result-weight.js";
import { encodeId, type Sealed, sealError } from "../sealed.js";

/** What a legacy client is told within a successful exchange. Everything else is the transport's failure. */
const WITHIN_200: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["method_not_found", "invalid_params"]);

/** Turns what became of a call into an answer of its revision. */
export function seal(call: Call, outcome: Outcome): Sealed {
  switch (outcome.kind) {
    case "done":
      return { text: encodeResult(call, outcome.result), status: 200 };
    case "refused": {
      const { refusal } = outcome;
      return sealError(call.id, refusal.error, WITHIN_200.has(refusal.code) ? 200 : refusal.status);
    }
    case "failed":
      return sealFailure(call, outcome.error);
  }
}

function encodeResult(call: Call, result: Result): string {
  if (result instanceof MembersText) return splice(call, `{${result.text}}`);
  const projected = call.method?.project?.(result, call) ?? result;
  if (isHeavy(projected)) return JSON.stringify({ jsonrpc: "2.0", id: call.id, result: projected });
  return splice(call, encodeObject(projected));
}

function encodeObject(result: JsonObject): string {
  const text = JSON.stringify(result);
  if (!text.startsWith("{")) throw new TypeError("Expected a result that JSON holds as an object");
  return text;
}

function splice(call: Call, result: string): string {
  return `{"jsonrpc":"2.0","id":${encodeId(call.id)},"result":${result}}`;
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

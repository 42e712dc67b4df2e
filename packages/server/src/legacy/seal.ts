import type { ErrorCode, JsonObject } from "@mortise/core";
import type { Call } from "../call.js";
import { MembersText, type Outcome, type Result } from "../outcome.js";
import { isHeavy } from "../result-weight.js";
import { encodeId, encodeResult, type Sealed, sealError, sealShared, toErrorObject } from "../sealed.js";

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
      return sealError(call.id, toErrorObject(outcome.error), 200);
  }
}

function sealResult(call: Call, result: Result): Sealed {
  if (result instanceof MembersText) return sealShared(call.id, result.tail(""));
  const projected = withoutType(call.method?.project?.(result, call) ?? result);
  return { text: encodeAnswer(call, projected), status: 200 };
}

function encodeAnswer(call: Call, result: JsonObject): string {
  if (isHeavy(result)) return JSON.stringify({ jsonrpc: "2.0", id: call.id, result });
  return `{"jsonrpc":"2.0","id":${encodeId(call.id)},"result":${encodeResult(result)}}`;
}

/** A handler written for modern clients may say that its result is complete; these revisions have no such member, and no others. */
function withoutType(result: JsonObject): JsonObject {
  if (!("resultType" in result)) return result;
  const { resultType = "complete", ...rest } = result;
  if (resultType !== "complete") throw new TypeError("Expected a complete result for a client of a legacy revision");
  return rest;
}

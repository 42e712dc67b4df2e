import { isObject, type JsonObject, RPC, SERVER_INFO_KEY } from "@mortise/core";
import type { Call } from "../call.js";
import { MembersText, type Outcome, type Result } from "../outcome.js";
import { isHeavy } from "../result-weight.js";
import { encodeId, encodeResult, type Sealed, sealError, sealShared, toErrorObject } from "../sealed.js";
import type { ServerCore } from "../server-core.js";
import type { CacheHint } from "../server-options.js";

/** The numbers of the reserved range that exist. https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
const DEFINED: ReadonlySet<number> = new Set([RPC.headerMismatch, RPC.missingCapability, RPC.unsupportedVersion]);
const URL_ELICITATION_REQUIRED = -32042;
const ANSWERED: CacheHint = { ttlMs: 0, scope: "private" };

/** Makes the function that turns what became of a call into a modern answer. What never changes is serialized here, once. */
export function createSeal(server: ServerCore): (call: Call, outcome: Outcome) => Sealed {
  const meta = server.settings.stampServerInfo ? { [SERVER_INFO_KEY]: server.info } : undefined;
  const stamp = `"resultType":"complete"${meta === undefined ? "" : `,"_meta":${JSON.stringify(meta)}`}`;

  function sealResult(call: Call, result: Result): Sealed {
    const hint = readHint(call);
    if (result instanceof MembersText)
      return sealShared(call.id, result.tail(`${open(hint)}${result.text === "" ? "" : ","}`));
    if ("resultType" in result) {
      requireType(call, result.resultType);
      requireQuestions(call, result);
    }
    if ("_meta" in result || "resultType" in result || isHeavy(result))
      return { text: merge(call, hint, result), status: 200 };
    return { text: splice(call, hint, encodeResult(result).slice(1, -1)), status: 200 };
  }

  /** Small results: constant text around the result's own. */
  function splice(call: Call, hint: CacheHint | undefined, members: string): string {
    const rest = members === "" ? "" : `,${members}`;
    return `{"jsonrpc":"2.0","id":${encodeId(call.id)},"result":{${open(hint)}${rest}}}`;
  }

  /** What every result begins with. */
  function open(hint: CacheHint | undefined): string {
    return hint === undefined ? stamp : `${stamp},"ttlMs":${hint.ttlMs},"cacheScope":"${hint.scope}"`;
  }

  /** Large results, and those with a `_meta` or `resultType` of their own: one serialization of the whole. */
  function merge(call: Call, hint: CacheHint | undefined, result: JsonObject): string {
    const merged: JsonObject = { ...result, resultType: result.resultType ?? "complete" };
    if (meta !== undefined) merged._meta = { ...meta, ...(isObject(result._meta) ? result._meta : undefined) };
    if (hint !== undefined && merged.resultType === "complete")
      Object.assign(merged, { ttlMs: hint.ttlMs, cacheScope: hint.scope });
    return JSON.stringify({ jsonrpc: "2.0", id: call.id, result: merged });
  }

  return (call, outcome) => {
    switch (outcome.kind) {
      case "done":
        return sealResult(call, outcome.result);
      case "refused":
        return sealError(call.id, outcome.refusal.error, outcome.refusal.status);
      case "failed":
        return sealFailure(call, outcome.error);
    }
  };
}

/** A client cannot read a result of a type that it does not know. */
function requireType(call: Call, type: unknown = "complete"): void {
  if (!call.server.extensions.allows(type, call))
    throw new TypeError(`Expected a "resultType" of the protocol, or of an extension that the client declared`);
}

/** Only some requests may be answered with questions, and never with none. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#supported-requests */
function requireQuestions({ method }: Call, { resultType, inputRequests, requestState }: JsonObject): void {
  if (resultType !== "input_required") return;
  if (method?.asks !== true || (!isObject(inputRequests) && typeof requestState !== "string"))
    throw new TypeError("Expected questions, or a state, in answer to a request that can be answered with them");
}

function readHint(call: Call): CacheHint | undefined {
  const { method } = call;
  if (method?.cache === undefined) return undefined;
  if (call.retry !== undefined) return ANSWERED; // the same request without the answers has another result
  const usual = call.server.settings.cache[method.cache];
  const hint = method.hint?.(call, usual) ?? usual;
  const { principal, auth = null } = call.carrier;
  // A framework may have checked the caller without saying who it is.
  return principal === undefined && auth === null ? hint : { ...hint, scope: "private" };
}

function sealFailure(call: Call, error: unknown): Sealed {
  const sent = toErrorObject(error);
  const code = toDefinedCode(sent.code);
  if (code !== sent.code) call.server.report(error, { method: call.request.method });
  return sealError(call.id, { ...sent, code }, code === RPC.missingCapability ? 400 : 200);
}

/** Numbers that this revision forbids become ones it has. */
function toDefinedCode(code: number): number {
  if (code === RPC.resourceNotFound) return RPC.invalidParams;
  const reserved = code <= -32020 && code >= -32099;
  return (reserved && !DEFINED.has(code)) || code === URL_ELICITATION_REQUIRED ? RPC.internalError : code;
}

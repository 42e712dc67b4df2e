import { isObject, type JsonObject, JsonRpcError, MortiseError } from "@mortise/core";
import type { Answer, AnswerHead, ErrorAnswer, RefusedAnswer } from "./link.js";

/**
 * What an HTTP answer without a JSON-RPC response tells, as the `cause` of the error it becomes; a `JsonRpcError` that came with 401 or
 * 403 has it as well.
 */
export interface HttpRefusal {
  readonly status: number;
  /** The beginning of the body, without secrets. */
  readonly body: string;
  /** The `WWW-Authenticate` header of a 401 or 403. */
  readonly challenge?: string | undefined;
  /** The `Retry-After` header. */
  readonly retryAfter?: string | undefined;
}

/** The result in an answer. Throws `JsonRpcError` for an error of the server, and `MortiseError` for a refusal by HTTP. */
export function readAnswer(answer: Answer): JsonObject {
  if (answer.kind === "error") throw serverError(answer);
  if (answer.kind === "refused") throw refusalError(answer);
  const nested = findNestedError(answer.result);
  if (nested !== undefined) throw nested;
  return answer.result;
}

/** The error that an HTTP refusal becomes: `unauthorized`, `http_status`, or `invalid_response` for a success without a response in it. */
export function refusalError(answer: RefusedAnswer): MortiseError {
  const { head, body } = answer;
  const { status } = head;
  if (status === 0) return new MortiseError("invalid_response", "Expected a response with a result object or an error");
  const cause = toRefusal(head, body);
  const quote = body.trim() === "" ? "" : `: ${body.trim()}`;
  if (status === 401 || status === 403)
    return new MortiseError("unauthorized", `The server refused access with HTTP ${status}${quote}`, { cause });
  if (status >= 200 && status < 300)
    return new MortiseError("invalid_response", `Expected a JSON-RPC response, received HTTP ${status}${quote}`, {
      cause,
    });
  return new MortiseError("http_status", `Expected a JSON-RPC response, received HTTP ${status}${quote}`, { cause });
}

/** Who turns a caller away in JSON-RPC says in the head of the answer how to be let in. */
function serverError({ head, error }: ErrorAnswer): JsonRpcError {
  const { code, message, data } = error;
  const isRefused = head.status === 401 || head.status === 403;
  return new JsonRpcError(code, message, data, isRefused ? { cause: toRefusal(head, message) } : undefined);
}

function toRefusal(head: AnswerHead, body: string): HttpRefusal {
  return {
    status: head.status,
    body,
    challenge: head.header("www-authenticate"),
    retryAfter: head.header("retry-after"),
  };
}

/** Some hand-written servers put the error object into `result`. */
function findNestedError(result: JsonObject): JsonRpcError | undefined {
  const { error } = result;
  if (!isObject(error) || Object.keys(result).length !== 1) return undefined;
  if (!Number.isInteger(error.code) || typeof error.message !== "string") return undefined;
  return new JsonRpcError(error.code as number, error.message, error.data); // an integer, as checked
}

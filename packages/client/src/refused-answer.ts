import { isObject, type JsonObject, JsonRpcError, MortiseError } from "@mortise/core";
import type { HttpRefusal } from "./answer.js";
import type { Answer, AnswerHead, RefusedAnswer } from "./link.js";

/* What is said of answers that hold no result; loaded with the first of them. */

/** The result in an answer, if there is one after all. Throws `JsonRpcError` for an error of the server, and `MortiseError` for a refusal by HTTP, 401 and 403 in any case. */
export function readAnswer(answer: Answer): JsonObject {
  if (answer.kind === "refused") throw refusalError(answer);
  if (answer.kind === "error") {
    const { head, error } = answer;
    // Who was not let in needs the challenge, whatever else the server says.
    if (isUnauthorized(head)) throw refusalError({ kind: "refused", head, body: error.message });
    // Whether the server is busy, and for how long, is said by HTTP alone.
    const options = head.status < 400 ? undefined : { cause: readRefusal(head, error.message) };
    throw new JsonRpcError(error.code, error.message, error.data, options);
  }
  const nested = findNestedError(answer.result);
  if (nested !== undefined) throw nested;
  return answer.result;
}

/** The error that an HTTP refusal becomes: `unauthorized`, `http_status`, or `invalid_response` for a success without a response in it. */
export function refusalError(answer: RefusedAnswer): MortiseError {
  const { head, body } = answer;
  const { status } = head;
  if (status === 0) return new MortiseError("invalid_response", "Expected a response with a result object or an error");
  const cause = readRefusal(head, body);
  const quote = body.trim() === "" ? "" : `: ${body.trim()}`;
  if (isUnauthorized(head))
    return new MortiseError("unauthorized", `The server refused access with HTTP ${status}${quote}`, { cause });
  if (status >= 200 && status < 300)
    return new MortiseError("invalid_response", `Expected a JSON-RPC response, received HTTP ${status}${quote}`, {
      cause,
    });
  return new MortiseError("http_status", `Expected a JSON-RPC response, received HTTP ${status}${quote}`, { cause });
}

function readRefusal(head: AnswerHead, body: string): HttpRefusal {
  const { status } = head;
  return { status, body, challenge: head.header("www-authenticate"), retryAfter: head.header("retry-after") };
}

function isUnauthorized({ status }: RefusedAnswer["head"]): boolean {
  return status === 401 || status === 403;
}

/** Some hand-written servers put the error object into `result`. */
function findNestedError(result: JsonObject): JsonRpcError | undefined {
  const { error } = result;
  if (!isObject(error) || Object.keys(result).length !== 1) return undefined;
  if (!Number.isInteger(error.code) || typeof error.message !== "string") return undefined;
  return new JsonRpcError(error.code as number, error.message, error.data); // an integer, as checked
}

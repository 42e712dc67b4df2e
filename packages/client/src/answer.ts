import type { JsonObject } from "@mortise/core";
import type { RequestControl } from "./era.js";
import type { Answer, ResultAnswer } from "./link.js";

/** What an HTTP answer tells that is no success, as the `cause` of the error it becomes. */
export interface HttpRefusal {
  readonly status: number;
  /** The beginning of the body, without secrets; of a JSON-RPC error its message. */
  readonly body: string;
  /** The `WWW-Authenticate` header of a 401 or 403. */
  readonly challenge?: string | undefined;
  /** The `Retry-After` header. */
  readonly retryAfter?: string | undefined;
}

/** Tells whether an answer holds a result. Some hand-written servers put the error object into `result`: those are looked at closer. */
export function isResult(answer: Answer): answer is ResultAnswer {
  return answer.kind === "result" && answer.result.error === undefined;
}

/**
 * Says what an answer holds that is no result: rejects with `JsonRpcError` for an error of the server, and with `MortiseError` for
 * a refusal by HTTP, 401 and 403 in any case. With a `control` it rejects as soon as the request is given up.
 */
export async function readRefused(answer: Answer, control?: RequestControl): Promise<JsonObject> {
  const load = (): Promise<typeof import("./refused-answer.js")> => import("./refused-answer.js");
  const { readAnswer } = await (control === undefined ? load() : control.orStopped(load));
  return readAnswer(answer);
}

import { isObject, type RequestId, readableId } from "@mortise/core";

/**
 * The id of an answer that is no response, such as one with text or `null` for a result; `undefined` for anything else.
 * Nothing better will follow, so whoever waits need not wait on.
 */
export function readMalformedAnswer(message: unknown): RequestId | undefined {
  const isAnswer = isObject(message) && message.method === undefined && ("result" in message || "error" in message);
  return isAnswer ? readableId(message) : undefined;
}

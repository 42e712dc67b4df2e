import { isObject, RPC } from "@mortise/core";
import type { Answer } from "./link.js";

/** What a server answered to `server/discover` that was no discover result, in words. */
export function describeAnswer(answer: Answer): string {
  const { status } = answer.head;
  if (answer.kind === "error") {
    const { code, message, data } = answer.error;
    if (code === RPC.unsupportedVersion && isObject(data) && Array.isArray(data.supported))
      return `the server lists ${data.supported.join(", ")}`;
    return `server/discover got error ${code}: ${message}`;
  }
  if (status < 300)
    return `the answer to server/discover was no ${answer.kind === "result" ? "discover result" : "response"}`;
  const body = answer.kind === "refused" ? answer.body.trim() : "";
  return `server/discover got HTTP ${status}${body === "" ? "" : `: ${body}`}`;
}

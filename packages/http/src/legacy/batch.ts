import { classifyMessage, type JsonRpcRequest, type RequestId } from "@mortise/core";
import { type EdgeReply, refuse } from "../edge-reply.js";

/** Each request of a batch is worked on at the same time, so that there has to be an end to them. */
const MAX_ENTRIES = 100;
const TOO_MANY = refuse(400, `Expected an array of at most ${MAX_ENTRIES} messages`);
const INVALID = refuse(400, "Expected an array of JSON-RPC 2.0 messages");
const REPEATED = refuse(400, "Expected every request of the array to have an id of its own");

/**
 * Reads the messages of a batch: the requests that want answers, or why none of them is looked at.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-03-26/basic#batching
 */
export function readBatch(entries: readonly unknown[]): readonly JsonRpcRequest[] | EdgeReply {
  if (entries.length > MAX_ENTRIES) return TOO_MANY;
  const requests: JsonRpcRequest[] = [];
  const ids = new Set<RequestId>();
  for (const entry of entries) {
    const kind = classifyMessage(entry);
    if (kind === "invalid" || kind === "batch") return INVALID;
    if (kind !== "request") continue;
    const request = entry as JsonRpcRequest; // classified as one
    if (ids.has(request.id)) return REPEATED;
    ids.add(request.id);
    requests.push(request);
  }
  return requests;
}

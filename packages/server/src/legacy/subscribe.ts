import { invalidParams, isThenable, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import { isHeldBack } from "../find-resource.js";
import { defineMethod, type Method } from "../method.js";
import { MembersText, type Result } from "../outcome.js";
import { MAX_URI_LENGTH } from "../watch-limits.js";

const EMPTY = new MembersText("");

/** Begins to tell of one resource's changes. https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions */
export const subscribe: Method = defineMethod<string>({
  name: "resources/subscribe",
  feature: "resources",
  needs: "watched",
  parse: readUri,
  // Watching what one may not know of is watching something that never changes.
  run: (call, uri) => (isHeldBack(call, uri) ? EMPTY : answer(call.carrier.watched?.add(uri))),
});

/** Tells of one resource's changes no more. */
export const unsubscribe: Method = defineMethod<string>({
  name: "resources/unsubscribe",
  feature: "resources",
  needs: "watched",
  parse: readUri,
  run: ({ carrier }, uri) => answer(carrier.watched?.delete(uri)),
});

function readUri(params: JsonObject | undefined): string {
  const uri = params?.uri;
  if (typeof uri !== "string") throw invalidParams("params.uri", "a string", uri);
  if (uri.length > MAX_URI_LENGTH)
    throw new JsonRpcError(RPC.invalidParams, `Expected "params.uri" to have at most ${MAX_URI_LENGTH} characters`);
  return uri;
}

/** The answer is given once a change can no longer be missed. */
function answer(done: void | Promise<void>): Result | Promise<Result> {
  return isThenable(done) ? done.then(() => EMPTY) : EMPTY;
}

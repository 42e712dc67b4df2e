import { isObject, type JsonObject } from "./json.js";

/** One kind of question a server can put to a client. */
export type Ask = "elicit.form" | "elicit.url" | "sample" | "sample.tools" | "roots";

const NO_ASKS: ReadonlySet<Ask> = new Set();

/**
 * Reads which questions a client can be asked out of its capabilities. An `elicitation` without modes means forms.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#capabilities
 */
export function readAsks(capabilities: JsonObject): ReadonlySet<Ask> {
  const { elicitation, sampling, roots } = capabilities;
  if (elicitation === undefined && sampling === undefined && roots === undefined) return NO_ASKS;
  const asks = new Set<Ask>();
  if (isObject(elicitation)) {
    if (isObject(elicitation.url)) asks.add("elicit.url");
    if (isObject(elicitation.form) || !asks.has("elicit.url")) asks.add("elicit.form");
  }
  if (isObject(sampling)) {
    asks.add("sample");
    if (isObject(sampling.tools)) asks.add("sample.tools");
  }
  if (isObject(roots)) asks.add("roots");
  return asks;
}

/** The client capabilities that allow the given questions, as an error about missing ones lists them. */
export function toCapabilities(asks: Iterable<Ask>): JsonObject {
  const wanted = new Set(asks);
  const capabilities: JsonObject = {};
  if (wanted.has("elicit.form") || wanted.has("elicit.url")) {
    capabilities.elicitation = {
      ...(wanted.has("elicit.form") ? { form: {} } : {}),
      ...(wanted.has("elicit.url") ? { url: {} } : {}),
    };
  }
  if (wanted.has("sample.tools")) capabilities.sampling = { tools: {} };
  else if (wanted.has("sample")) capabilities.sampling = {};
  if (wanted.has("roots")) capabilities.roots = {};
  return capabilities;
}

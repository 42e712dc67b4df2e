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

/** The capability behind each question, and its mode where there is one. */
const CAPABILITIES: Readonly<Record<Ask, readonly [capability: string, mode?: string]>> = {
  "elicit.form": ["elicitation", "form"],
  "elicit.url": ["elicitation", "url"],
  sample: ["sampling"],
  "sample.tools": ["sampling", "tools"],
  roots: ["roots"],
};

/** The client capabilities that allow the given questions, as an error about missing ones lists them. */
export function toCapabilities(asks: Iterable<Ask>): JsonObject {
  const capabilities: Record<string, JsonObject> = {};
  for (const ask of asks) {
    const [capability, mode] = CAPABILITIES[ask];
    capabilities[capability] = { ...capabilities[capability], ...(mode === undefined ? {} : { [mode]: {} }) };
  }
  return capabilities;
}

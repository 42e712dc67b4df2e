import { isObject, type JsonObject } from "@mortise/core";

/** Members of `_meta` that belong to one sending of a request, or are the same for all of a client, and change nothing about its result. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set([
  "progressToken",
  "traceparent",
  "tracestate",
  "baggage",
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
  "io.modelcontextprotocol/logLevel",
]);

/**
 * The part of a cache key that says what is asked for: equal for equal parameters, in whatever order their members come. Of
 * `_meta` only members count that the protocol does not know, since a server may answer them otherwise.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#cache-key
 */
export function writeKey(method: string, params: JsonObject | undefined, meta: JsonObject | undefined): string {
  const { _meta, ...rest } = params ?? {};
  const foreign = { ...(isObject(_meta) ? _meta : {}), ...meta };
  const counting = Object.entries(foreign).filter(([name]) => !WITHOUT_EFFECT.has(name));
  // Read back from text: what is compared is what is sent.
  const sent: unknown = JSON.parse(JSON.stringify([method, rest, Object.fromEntries(counting)]));
  return JSON.stringify(sortMembers(sent));
}

/** The same value, with the members of every object in the order of their names. */
function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  // As pairs, since an object puts numbers among its names first.
  return { members: names.map((name) => [name, sortMembers(value[name])]) };
}

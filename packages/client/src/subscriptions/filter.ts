import { describeType, isObject, type JsonObject, type JsonRpcNotification, MortiseError } from "@mortise/core";
import type { SubscriptionFilter } from "../subscription.js";

/** The flags of the filter, and the notification that each asks for. */
const LISTS: ReadonlyMap<string, string> = new Map([
  ["toolsListChanged", "notifications/tools/list_changed"],
  ["promptsListChanged", "notifications/prompts/list_changed"],
  ["resourcesListChanged", "notifications/resources/list_changed"],
]);
const ADDRESSES = "resourceSubscriptions";
const UPDATED = "notifications/resources/updated";
const LIST_NOTICES: ReadonlySet<string> = new Set(LISTS.values());

/** Reads what a caller wants to hear of: only what is asked for is left. Throws `invalid_options`. */
export function readFilter(filter: unknown): SubscriptionFilter {
  if (!isObject(filter)) throw wrong("the filter", "an object", filter);
  const asked: JsonObject = {};
  for (const [member, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (LISTS.has(member)) {
      if (typeof value !== "boolean") throw wrong(`"${member}"`, "true or false", value);
      if (value) asked[member] = true;
    } else if (member === ADDRESSES) {
      const addresses = readAddresses(value);
      if (addresses.length > 0) asked[member] = addresses;
    } else asked[member] = value;
  }
  if (isEmpty(asked))
    throw new MortiseError(
      "invalid_options",
      `Expected the filter to ask for something: ${[...LISTS.keys(), ADDRESSES].join(", ")}`,
    );
  return asked;
}

/** What a server acknowledged, of what was asked for. */
export function readHonored(asked: SubscriptionFilter, acknowledged: JsonObject): SubscriptionFilter {
  const honored: JsonObject = {};
  for (const [member, value] of Object.entries(asked)) {
    const granted = acknowledged[member];
    if (member === ADDRESSES) {
      const listed = Array.isArray(granted) ? asked.resourceSubscriptions?.filter((uri) => granted.includes(uri)) : [];
      if (listed !== undefined && listed.length > 0) honored[member] = listed;
    } else if (LISTS.has(member)) {
      if (granted === true) honored[member] = value;
    } else if (granted !== undefined && granted !== null && granted !== false) honored[member] = granted;
  }
  return honored;
}

/** Tells whether a filter asks for nothing. */
export function isEmpty(filter: SubscriptionFilter): boolean {
  return Object.keys(filter).length === 0;
}

/** Tells whether a filter asks for what a notification tells of. Whatever belongs to no part of the protocol is an extension's. */
export function isCovered({ method, params }: JsonRpcNotification, filter: SubscriptionFilter): boolean {
  if (method === UPDATED) {
    const uri = params?.uri;
    return typeof uri === "string" && filter.resourceSubscriptions?.some((watched) => isWithin(uri, watched)) === true;
  }
  for (const [member, notice] of LISTS) if (notice === method) return filter[member] === true;
  return Object.keys(filter).some((member) => member !== ADDRESSES && !LISTS.has(member));
}

/** What a notification is about: of two with the same key, the later one says all. Never throws. */
export function describeChange({ method, params }: JsonRpcNotification): string {
  if (LIST_NOTICES.has(method)) return method;
  if (method === UPDATED && typeof params?.uri === "string") return `${method} ${params.uri}`;
  const { _meta, ...rest } = params ?? {};
  try {
    return `${method} ${JSON.stringify(rest)}`;
  } catch {
    // Nested too deeply to be told apart from others.
    return method;
  }
}

/** An update may be about a part of what is watched. https://modelcontextprotocol.io/specification/2026-07-28/schema#resourceupdatednotificationparams */
function isWithin(uri: string, watched: string): boolean {
  if (!uri.startsWith(watched)) return false;
  return uri.length === watched.length || watched.endsWith("/") || "/#?".includes(uri.charAt(watched.length));
}

function readAddresses(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw wrong(`"${ADDRESSES}"`, "an array of strings", value);
  for (const uri of value as readonly unknown[])
    if (typeof uri !== "string" || uri === "") throw wrong(`"${ADDRESSES}[]"`, "an address", uri);
  return [...new Set(value as readonly string[])]; // checked just now
}

function wrong(what: string, expected: string, value: unknown): MortiseError {
  return new MortiseError("invalid_options", `Expected ${what} to be ${expected}, received ${describeType(value)}`);
}

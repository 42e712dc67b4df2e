/** What a response is about. */
export interface StoredSubject {
  /** The server, whoever asked it. */
  readonly server: string;
  readonly method: string;
  /** The address of the resource that was read. */
  readonly uri: string | undefined;
}

/** The methods whose responses a notification makes stale. */
const TOLD_BY: ReadonlyMap<string, readonly string[]> = new Map([
  ["notifications/tools/list_changed", ["tools/list"]],
  ["notifications/prompts/list_changed", ["prompts/list"]],
  ["notifications/resources/list_changed", ["resources/list", "resources/templates/list"]],
  ["notifications/resources/updated", ["resources/read"]],
]);
/** What ends a part of an address. */
const PART_ENDS = "/?#";

/** Tells whether a notification is about something that responses can be kept of. */
export function isChange(method: string): boolean {
  return TOLD_BY.has(method);
}

/**
 * Tells whether a notification makes a response stale. A resource is also stale when one below or above it has changed: servers
 * may tell of a part of what was subscribed to.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching#interaction-with-notifications
 */
export function isStale({ server, method, uri }: StoredSubject, change: StoredSubject): boolean {
  if (server !== change.server || TOLD_BY.get(change.method)?.includes(method) !== true) return false;
  if (change.uri === undefined || uri === undefined) return true;
  return isBelow(uri, change.uri) || isBelow(change.uri, uri);
}

function isBelow(part: string, whole: string): boolean {
  if (!part.startsWith(whole)) return false;
  return part.length === whole.length || PART_ENDS.includes(part[whole.length] ?? "") || whole.endsWith("/");
}

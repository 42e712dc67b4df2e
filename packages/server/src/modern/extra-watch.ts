import { isObject, type JsonObject, JsonRpcError, type RequestId, RPC } from "@mortise/core";
import type { Call } from "../call.js";
import { tagSubscription } from "../change-notice.js";
import type { ListenFilter } from "../extension.js";
import { extensionTopic } from "../extension-topic.js";
import { readWith } from "../extensions.js";
import { MAX_URI_LENGTH, MAX_WATCHED } from "../watch-limits.js";

/** What one topic of an extension is about. */
interface ExtraTopic {
  readonly filter: ListenFilter;
  /** What the extension calls it. */
  readonly name: string;
}

/** What a caller listens to besides what the protocol itself has. */
export interface ExtraWatch {
  /** By topic on the bus. */
  readonly topics: ReadonlyMap<string, ExtraTopic>;
  /** Members of the acknowledged filter. */
  readonly granted: JsonObject;
}

/** Reads the members of the filter that extensions added, of those that the caller declared. Throws a `JsonRpcError` (-32602). */
export function readExtraWatch(asked: JsonObject, call: Call): ExtraWatch {
  const topics = new Map<string, ExtraTopic>();
  const granted: JsonObject = {};
  for (const { id, listenFilter: filter } of call.server.extensions.filters) {
    const value = filter === undefined ? undefined : asked[filter.member];
    if (filter === undefined || value === undefined || call.declared(id) === undefined) continue;
    const where = `params.notifications.${filter.member}`;
    const caller = { principal: call.carrier.principal, auth: call.carrier.auth };
    const read = <Value>(reading: () => Value): Value => readWith(reading, `"${where}"`, call);
    const names = read(() => readTopics(read(() => filter.topics(value, caller))));
    if (names.length === 0) continue;
    requireFew(names, where);
    for (const name of names) topics.set(extensionTopic(id, name), { filter, name });
    granted[filter.member] = filter.acknowledge === undefined ? value : read(() => filter.acknowledge?.(value, caller));
  }
  return { topics, granted };
}

/** The notice that published data become, if any. */
export function encodeExtraNotice({ filter, name }: ExtraTopic, data: unknown, id: RequestId): string | undefined {
  const notice = filter.notice(name, data);
  if (notice === undefined) return undefined;
  const { method, params } = notice;
  if (typeof method !== "string") throw new TypeError("Expected a listen filter to give a notice with a method");
  const meta = isObject(params?._meta) ? params._meta : {};
  return JSON.stringify({
    jsonrpc: "2.0",
    method,
    params: { ...params, _meta: { ...meta, ...tagSubscription(id) } },
  });
}

function readTopics(topics: unknown): readonly string[] {
  if (Array.isArray(topics) && topics.every((topic) => typeof topic === "string")) return topics;
  throw new TypeError("Expected a listen filter to give an array of topics");
}

function requireFew(names: readonly string[], where: string): void {
  if (names.length <= MAX_WATCHED && names.every((name) => name.length <= MAX_URI_LENGTH)) return;
  const limits = `at most ${MAX_WATCHED} topics of at most ${MAX_URI_LENGTH} characters`;
  throw new JsonRpcError(RPC.invalidParams, `Expected "${where}" to ask for ${limits}`);
}

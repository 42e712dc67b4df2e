import { invalidParams, isObject, type JsonObject, JsonRpcError, RPC } from "@mortise/core";
import type { Call } from "../call.js";
import { type ListFeature, listTopic, resourceTopic, tagSubscription } from "../change-notice.js";
import { defineMethod, type Method } from "../method.js";
import { MAX_URI_LENGTH, MAX_WATCHED } from "../watch-limits.js";
import { type ExtraWatch, readExtraWatch } from "./extra-watch.js";
import { Listening } from "./listening.js";

/** What a caller asks to be told of. */
interface Filter {
  readonly lists: readonly ListFeature[];
  readonly uris: readonly string[];
  /** What extensions of the server add; left out where there is nothing. */
  readonly extra?: ExtraWatch | undefined;
}

/** The member of the filter that asks for changes of each list. */
const LIST_MEMBERS: Readonly<Record<ListFeature, string>> = {
  tools: "toolsListChanged",
  prompts: "promptsListChanged",
  resources: "resourcesListChanged",
};
const LISTS = Object.entries(LIST_MEMBERS) as [ListFeature, string][]; // the keys of the table above

/** Tells of changes until the caller leaves. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export const listen: Method = defineMethod<Filter>({
  name: "subscriptions/listen",
  needs: "announces",
  parse(params, call) {
    const asked = params?.notifications;
    if (!isObject(asked)) throw invalidParams("params.notifications", "an object", asked);
    return {
      lists: LISTS.filter(([, member]) => readFlag(asked, member)).map(([feature]) => feature),
      uris: readUris(asked.resourceSubscriptions),
      extra: call.server.extensions.filters.length === 0 ? undefined : readExtraWatch(asked, call),
    };
  },
  run: (call, asked) =>
    new Promise((resolve, reject) => {
      const offered = selectOffered(call, asked);
      const stream = new Listening(call, { resolve, reject, extra: offered.extra });
      stream.open(listTopics(offered), encodeAcknowledgement(call, offered));
    }),
});

function listTopics({ lists, uris, extra }: Filter): readonly string[] {
  return [...lists.map(listTopic), ...uris.map(resourceTopic), ...(extra?.topics.keys() ?? [])];
}

function readFlag(asked: JsonObject, member: string): boolean {
  const flag = asked[member];
  if (flag !== undefined && typeof flag !== "boolean")
    throw invalidParams(`params.notifications.${member}`, "true or false", flag);
  return flag === true;
}

function readUris(uris: unknown = []): readonly string[] {
  const member = "params.notifications.resourceSubscriptions";
  if (!Array.isArray(uris)) throw invalidParams(member, "an array", uris);
  const known = new Set<string>();
  for (const uri of uris as readonly unknown[]) {
    if (typeof uri !== "string") throw invalidParams(`${member}[]`, "a string", uri);
    known.add(uri);
  }
  if (known.size > MAX_WATCHED || uris.some((uri: string) => uri.length > MAX_URI_LENGTH))
    throw new JsonRpcError(
      RPC.invalidParams,
      `Expected "${member}" to hold at most ${MAX_WATCHED} addresses of at most ${MAX_URI_LENGTH} characters`,
    );
  return [...known];
}

/** What there is nothing of cannot change. */
function selectOffered({ server }: Call, { lists, uris, extra }: Filter): Filter {
  return {
    extra,
    lists: lists.filter((feature) => server.offers(feature)),
    uris: server.offers("resources") ? uris : [],
  };
}

function encodeAcknowledgement({ id }: Call, { lists, uris, extra }: Filter): string {
  const notifications: Record<string, unknown> = { ...extra?.granted };
  for (const feature of lists) notifications[LIST_MEMBERS[feature]] = true;
  if (uris.length > 0) notifications.resourceSubscriptions = uris;
  return JSON.stringify({
    jsonrpc: "2.0",
    method: "notifications/subscriptions/acknowledged",
    params: { _meta: tagSubscription(id), notifications },
  });
}

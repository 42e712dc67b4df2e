import type { RequestId } from "@mortise/core";
import { encodeId } from "./sealed.js";

/** Features that have a list which can change. */
export type ListFeature = "tools" | "prompts" | "resources";

/** All of them. */
export const LIST_FEATURES: readonly ListFeature[] = ["tools", "prompts", "resources"];

const LIST = "list/";
const RESOURCE = "resource/";
const SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId";

/** The topic of changes of a list. */
export function listTopic(feature: ListFeature): string {
  return LIST + feature;
}

/** The topic of changes of one resource. */
export function resourceTopic(uri: string): string {
  return RESOURCE + uri;
}

/** The address of the resource that a topic is about, if it is about one. */
export function readResourceTopic(topic: string): string | undefined {
  return topic.startsWith(RESOURCE) ? topic.slice(RESOURCE.length) : undefined;
}

/** The members that tie a message to the request which opened its subscription. */
export function tagSubscription(id: RequestId): { readonly [SUBSCRIPTION_KEY]: RequestId } {
  return { [SUBSCRIPTION_KEY]: id };
}

/** The notice that tells of a change, as JSON text; tied to a subscription, where there is one. */
export function encodeChange(topic: string, subscription?: RequestId): string {
  const uri = readResourceTopic(topic);
  const method = uri === undefined ? `${topic.slice(LIST.length)}/list_changed` : "resources/updated";
  const params: string[] = [];
  if (subscription !== undefined) params.push(`"_meta":{"${SUBSCRIPTION_KEY}":${encodeId(subscription)}}`);
  if (uri !== undefined) params.push(`"uri":${JSON.stringify(uri)}`);
  const rest = params.length === 0 ? "" : `,"params":{${params.join(",")}}`;
  return `{"jsonrpc":"2.0","method":"notifications/${method}"${rest}}`;
}

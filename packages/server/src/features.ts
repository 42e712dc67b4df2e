import type { JsonObject } from "@mortise/core";
import type { Call } from "./call.js";

/** What a server has once something of it was registered, under the names that capabilities have. */
export type FeatureName = "tools" | "prompts" | "resources" | "completions";

/** What can be told of a feature's changes. */
interface Changes {
  /** That its list changed. */
  readonly list?: true;
  /** That one thing of it changed. */
  readonly single?: true;
}

const FEATURES: readonly (readonly [FeatureName, Changes])[] = [
  ["tools", { list: true }],
  ["prompts", { list: true }],
  ["resources", { list: true, single: true }],
  ["completions", {}],
];

/** What reaches a caller between its requests. */
export interface Delivered {
  /** Changes of lists. */
  readonly lists: boolean;
  /** Changes of single resources. */
  readonly resources: boolean;
}

/** The capabilities a caller is told of: the features that exist, and of their changes what can be delivered. */
export function declareFeatures(
  { server, revision }: Pick<Call, "server" | "revision">,
  delivered: Delivered,
): JsonObject {
  const capabilities: Record<string, JsonObject> = { logging: {} };
  for (const [name, { list, single }] of FEATURES) {
    if (!server.offers(name) || (name === "completions" && !revision.completionsCapability)) continue;
    capabilities[name] = {
      ...(list && delivered.lists ? { listChanged: true } : {}),
      ...(single && delivered.resources ? { subscribe: true } : {}),
    };
  }
  return capabilities;
}

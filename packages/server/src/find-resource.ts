import type { MatchedValues } from "@mortise/core";
import type { Call } from "./call.js";
import type { RegisteredResource } from "./registered-resource.js";
import { findShown, isShown } from "./visible.js";

/** A registered resource, or a template with what an address has in the places of its variables. */
export interface FoundResource {
  readonly resource: RegisteredResource;
  readonly params: MatchedValues;
}

const NO_PARAMS: MatchedValues = Object.freeze({});

/** Whether there is something at an address that the caller may not know of. Costs next to nothing where nothing is hidden. */
export function isHeldBack(call: Call, uri: string): boolean {
  const { resources, templates } = call.server;
  const guarded =
    resources.get(uri)?.visible !== undefined ||
    templates.served().some(({ visible, matcher }) => visible !== undefined && matcher?.match(uri) !== undefined);
  return guarded && findResource(call, uri) === undefined;
}

/**
 * What is served to the caller at an address: a registered one comes before every template, and an earlier template before a
 * later one.
 */
export function findResource(call: Call, uri: unknown): FoundResource | undefined {
  if (typeof uri !== "string") return undefined;
  const { resources, templates } = call.server;
  const resource = findShown(resources, uri, call);
  if (resource !== undefined) return { resource, params: NO_PARAMS };
  for (const template of templates.served()) {
    const params = template.matcher?.match(uri);
    if (params !== undefined && isShown(template, call)) return { resource: template, params };
  }
  return undefined;
}

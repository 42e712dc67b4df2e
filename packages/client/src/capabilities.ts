import { type Ask, isObject, type JsonObject, type Revision, toCapabilities } from "@mortise/core";
import type { ClientExtension } from "./extension.js";
import type { QuestionHandlers } from "./question.js";

/** The questions that each handler answers. */
const ANSWERED: readonly (readonly [handler: keyof QuestionHandlers, asks: readonly Ask[]])[] = [
  ["onElicit", ["elicit.form", "elicit.url"]],
  ["onSample", ["sample", "sample.tools"]],
  ["onRoots", ["roots"]],
];

/** What abilities follow from. */
export interface AbilitySources {
  /** What was configured: a member stands in place of the one worked out. */
  readonly capabilities: JsonObject;
  readonly handlers: QuestionHandlers;
  readonly extensions: ReadonlyMap<string, ClientExtension>;
}

/**
 * What a client declares to a server of one revision: what its handlers can answer, as far as the revision knows it, and its
 * extensions, where there are any. Loaded for clients with handlers or extensions.
 */
export function describeAbilities(
  { capabilities, handlers, extensions }: AbilitySources,
  revision: Revision,
): JsonObject {
  const given = ANSWERED.filter(([handler]) => handlers[handler] !== undefined);
  const able = toCapabilities(given.flatMap(([, asks]) => asks).filter((ask) => revision.asks.has(ask)));
  if (able.elicitation !== undefined && !revision.elicitMode) able.elicitation = {};
  if (able.roots !== undefined && revision.rootsChanged) able.roots = { listChanged: true };
  const all = { ...able, ...capabilities };
  if (extensions.size === 0 || !revision.extensions) return all;
  const added = [...extensions].map(([id, { settings = {} }]) => [id, settings]);
  const configured = isObject(all.extensions) ? all.extensions : {};
  return { ...all, extensions: { ...configured, ...Object.fromEntries(added) } };
}

/** Which member of its params a request of an extension mirrors. */
export function findMirrored(method: string, extensions: AbilitySources["extensions"]): string | undefined {
  for (const { methods } of extensions.values())
    if (methods !== undefined && Object.hasOwn(methods, method)) return methods[method]?.mirrors;
  return undefined;
}

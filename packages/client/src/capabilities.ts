import { type Ask, isObject, type JsonObject, type Revision } from "@mortise/core";
import type { Identity } from "./era.js";
import type { ClientExtension } from "./extension.js";
import type { QuestionHandlers } from "./question.js";

/** What each handler can answer: the capability that says so, and the questions with the modes that stand for them. */
const ANSWERED: readonly (readonly [
  handler: keyof QuestionHandlers,
  capability: string,
  asks: readonly (readonly [ask: Ask, mode?: string])[],
])[] = [
  [
    "onElicit",
    "elicitation",
    [
      ["elicit.form", "form"],
      ["elicit.url", "url"],
    ],
  ],
  ["onSample", "sampling", [["sample"], ["sample.tools", "tools"]]],
  ["onRoots", "roots", [["roots"]]],
];

/** What abilities follow from. */
export interface AbilitySources {
  /** What was configured: a member stands in place of the one worked out. */
  readonly capabilities: JsonObject;
  readonly handlers: QuestionHandlers;
  readonly extensions: ReadonlyMap<string, ClientExtension>;
}

/** Tells what a client can do. Loaded for clients with handlers or extensions. */
export function createAbilities(sources: AbilitySources): Pick<Identity, "describe" | "findMirrored"> {
  return {
    describe: (revision) => describeAbilities(sources, revision),
    findMirrored: (method) => findMirrored(method, sources.extensions),
  };
}

/**
 * What a client declares to a server of one revision: what its handlers can answer, as far as the revision knows it, and its
 * extensions, where there are any.
 */
function describeAbilities({ capabilities, handlers, extensions }: AbilitySources, revision: Revision): JsonObject {
  const able: Record<string, JsonObject> = {};
  for (const [handler, capability, asks] of ANSWERED) {
    const known = asks.filter(([ask]) => revision.asks.has(ask));
    if (handlers[handler] === undefined || known.length === 0) continue;
    able[capability] = Object.fromEntries(known.flatMap(([, mode]) => (mode === undefined ? [] : [[mode, {}]])));
  }
  if (able.elicitation !== undefined && !revision.elicitMode) able.elicitation = {};
  if (able.roots !== undefined && revision.rootsChanged) able.roots = { listChanged: true };
  const all = { ...able, ...capabilities };
  if (extensions.size === 0 || !revision.extensions) return all;
  const added = [...extensions].map(([id, { settings = {} }]) => [id, settings]);
  const configured = isObject(all.extensions) ? all.extensions : {};
  return { ...all, extensions: { ...configured, ...Object.fromEntries(added) } };
}

/** Which member of its params a request of an extension mirrors. */
function findMirrored(method: string, extensions: AbilitySources["extensions"]): string | undefined {
  for (const { methods } of extensions.values())
    if (methods !== undefined && Object.hasOwn(methods, method)) return methods[method]?.mirrors;
  return undefined;
}

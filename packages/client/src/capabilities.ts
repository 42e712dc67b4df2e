import { type Ask, type JsonObject, type Revision, toCapabilities } from "@mortise/core";
import type { QuestionHandlers } from "./question.js";

/** The questions that each handler answers. */
const ANSWERED: readonly (readonly [handler: keyof QuestionHandlers, asks: readonly Ask[]])[] = [
  ["onElicit", ["elicit.form", "elicit.url"]],
  ["onSample", ["sample", "sample.tools"]],
  ["onRoots", ["roots"]],
];

/**
 * What a client declares to a server of one revision: what its handlers can answer, as far as the revision knows it. A
 * member that was configured stands in place of the one worked out.
 */
export function describeAbilities(configured: JsonObject, handlers: QuestionHandlers, revision: Revision): JsonObject {
  const given = ANSWERED.filter(([handler]) => handlers[handler] !== undefined);
  if (given.length === 0) return configured;
  const able = toCapabilities(given.flatMap(([, asks]) => asks).filter((ask) => revision.asks.has(ask)));
  if (able.elicitation !== undefined && !revision.elicitMode) able.elicitation = {};
  if (able.roots !== undefined && revision.rootsChanged) able.roots = { listChanged: true };
  return { ...able, ...configured };
}

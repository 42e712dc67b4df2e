import { isObject } from "@mortise/core";

/** What is wrong with annotations. */
export interface Flaw {
  /** The member behind a dot; nothing for the annotations themselves. */
  readonly member: string;
  readonly expected: string;
  readonly received: unknown;
}

/** The first thing that is wrong with annotations, if anything: strict clients drop whatever has such. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations */
export function findFlaw(annotations: unknown): Flaw | undefined {
  if (annotations === undefined) return undefined;
  if (!isObject(annotations)) return { member: "", expected: "an object", received: annotations };
  const { audience, priority, lastModified } = annotations;
  if (audience !== undefined && !(Array.isArray(audience) && audience.every(isRole)))
    return { member: ".audience", expected: 'an array of "user" and "assistant"', received: audience };
  if (priority !== undefined && !(typeof priority === "number" && priority >= 0 && priority <= 1))
    return { member: ".priority", expected: "a number from 0 to 1", received: priority };
  if (lastModified !== undefined && typeof lastModified !== "string")
    return { member: ".lastModified", expected: "a string", received: lastModified };
  return undefined;
}

function isRole(role: unknown): boolean {
  return role === "user" || role === "assistant";
}

import type { JsonObject } from "@mortise/core";

/** From how many characters on joining text costs more than serializing the whole at once. */
const HEAVY = 16_384;

/** Tells whether a result's content is long, by the lengths of its texts and blobs alone. */
export function isHeavy(result: JsonObject): boolean {
  if (!Array.isArray(result.content)) return false;
  let weight = 0;
  for (const block of result.content as readonly {
    text?: unknown;
    data?: unknown;
    resource?: { text?: unknown; blob?: unknown };
  }[]) {
    weight +=
      lengthOf(block.text) + lengthOf(block.data) + lengthOf(block.resource?.text) + lengthOf(block.resource?.blob);
    if (weight > HEAVY) return true;
  }
  return false;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

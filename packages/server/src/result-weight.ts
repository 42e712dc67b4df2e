import type { JsonObject } from "@mortise/core";

/** From how many characters on joining text costs more than serializing the whole at once. */
const HEAVY = 16_384;

/** Where a block of content, or what a resource holds, can be long. */
interface Block {
  readonly text?: unknown;
  readonly data?: unknown;
  readonly blob?: unknown;
  readonly resource?: Block;
}

/** Tells whether a result's content is long, by the lengths of its texts and blobs alone. */
export function isHeavy(result: JsonObject): boolean {
  const blocks = result.content ?? result.contents;
  if (!Array.isArray(blocks)) return false;
  let weight = 0;
  for (const block of blocks as readonly Block[]) {
    weight += lengthOf(block.text) + lengthOf(block.data) + lengthOf(block.blob);
    if (block.resource !== undefined) weight += lengthOf(block.resource.text) + lengthOf(block.resource.blob);
    if (weight > HEAVY) return true;
  }
  return false;
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

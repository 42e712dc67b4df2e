import type { JsonObject } from "@mortise/core";

/** From how many characters on joining text costs more than serializing the whole at once. */
const HEAVY = 16_384;

/** Where a block of content, a message with one, or what a resource holds can be long. */
interface Block {
  readonly text?: unknown;
  readonly data?: unknown;
  readonly blob?: unknown;
  readonly resource?: Block;
  readonly content?: Block;
}

/** Tells whether a result's content is long, by the lengths of its texts and blobs alone. */
export function isHeavy(result: JsonObject): boolean {
  const blocks = result.content ?? result.contents ?? result.messages;
  if (!Array.isArray(blocks)) return false;
  let weight = 0;
  for (const block of blocks as readonly Block[]) {
    const inner = block.content ?? block;
    weight += weigh(inner);
    if (inner.resource !== undefined) weight += weigh(inner.resource);
    if (weight > HEAVY) return true;
  }
  return false;
}

function weigh({ text, data, blob }: Block): number {
  return lengthOf(text) + lengthOf(data) + lengthOf(blob);
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

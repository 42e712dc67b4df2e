import { type CharSet, intersects, unite } from "./char-set.js";
import type { Node } from "./parse.js";

/** Each loop in a row multiplies the time by the length of the text, each optional part by two. */
const LOOP_WEIGHT = 3;
const OPTIONAL_WEIGHT = 1;
const MOST_WEIGHT = 16;
const LIKE_A_LOOP = 10;

/**
 * Whether a pattern has so many loops or optional parts in a row, all for the same characters, that trying how the text
 * falls between them takes too long: `a*a*a*a*a*a*b`, or thirty times `a?`. No single loop is ambiguous there.
 */
export function hasLongRun(node: Node): boolean {
  switch (node.kind) {
    case "sequence":
      return isLongRun(node.items) || node.items.some(hasLongRun);
    case "choice":
      return node.options.some(hasLongRun);
    case "repeat":
    case "look":
      return hasLongRun(node.body);
    case "empty":
    case "set":
      return false;
  }
}

function isLongRun(items: readonly Node[]): boolean {
  let weight = 0;
  let characters: CharSet = [];
  for (const item of items) {
    const { loops, nullable, set } = describe(item);
    const own = loops ? LOOP_WEIGHT : nullable ? OPTIONAL_WEIGHT : 0;
    if (intersects(set, characters)) {
      weight += own;
      if (own > 0) characters = unite([characters, set]);
    } else if (nullable) {
      // It can be skipped, so it does not part what stands around it.
      weight = Math.max(weight, own);
      characters = unite([characters, set]);
    } else {
      weight = own;
      characters = own > 0 ? set : [];
    }
    if (weight > MOST_WEIGHT) return true;
  }
  return false;
}

interface Description {
  readonly loops: boolean;
  readonly nullable: boolean;
  /** Every character that can stand in it. */
  readonly set: CharSet;
}

function describe(node: Node): Description {
  switch (node.kind) {
    case "empty":
    case "look":
      return { loops: false, nullable: true, set: [] };
    case "set":
      return { loops: false, nullable: false, set: node.set };
    case "sequence":
    case "choice":
      return describeSeveral(node);
    case "repeat": {
      const body = describe(node.body);
      const isLoop = node.max !== node.min && node.max >= LIKE_A_LOOP;
      return { loops: body.loops || isLoop, nullable: body.nullable || node.min === 0, set: body.set };
    }
  }
}

function describeSeveral(node: Extract<Node, { kind: "sequence" | "choice" }>): Description {
  const parts = (node.kind === "sequence" ? node.items : node.options).map(describe);
  return {
    loops: parts.some((part) => part.loops),
    nullable: node.kind === "sequence" ? parts.every((part) => part.nullable) : parts.some((part) => part.nullable),
    set: unite(parts.map((part) => part.set)),
  };
}

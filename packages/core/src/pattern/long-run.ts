import type { Budget } from "./automaton.js";
import { type CharSet, intersects, unite } from "./char-set.js";
import type { Node } from "./parse.js";

/** Each loop in a row multiplies the time by the length of the text, each optional part by two. */
const LOOP_WEIGHT = 3;
const OPTIONAL_WEIGHT = 1;
const MOST_WEIGHT = 16;
const LIKE_A_LOOP = 10;
/** More rounds than this are too many already, or are parted by something in each round. */
const MOST_ROUNDS = 20;
const MOST_ITEMS = 500;

/**
 * Whether a pattern has so many loops or optional parts in a row, all for the same characters, that trying how the text
 * falls between them takes too long: `a*a*a*a*a*a*b`, or thirty times `a?`. No single loop is ambiguous there. Says so as
 * well once the budget is used up.
 */
export function hasLongRun(root: Node, budget: Budget): boolean {
  const weights = new Map<Node, Weight>();
  return search(root);

  function search(node: Node): boolean {
    if (budget.left < 0) return true;
    switch (node.kind) {
      case "sequence":
        return isLongRun(node) || node.items.some(search);
      case "choice":
        return node.options.some(search);
      case "repeat":
        return isLongRun(node) || search(node.body);
      case "look":
        return search(node.body);
      case "empty":
      case "set":
        return false;
    }
  }

  function isLongRun(node: Node): boolean {
    return weighRow(writeOut(node)).heaviest > MOST_WEIGHT;
  }

  function weighRow(items: readonly Node[]): Weight {
    budget.left -= items.length;
    return joinRow(items.map(weigh));
  }

  /** Weighs each part once: written out, the same rounds stand in one another again and again. */
  function weigh(node: Node): Weight {
    const known = weights.get(node);
    if (known !== undefined) return known;
    const weight = budget.left < 0 ? NO_WEIGHT : weighAnew(node);
    weights.set(node, weight);
    return weight;
  }

  function weighAnew(node: Node): Weight {
    switch (node.kind) {
      case "empty":
      case "look":
        return NO_WEIGHT;
      case "set":
        return weighOne(0, false, node.set);
      case "sequence":
        return weighRow(writeOut(node));
      case "choice":
        return joinChoice(node.options.map((option) => weighRow(writeOut(option))));
      case "repeat":
        return repeatWeight(node, weigh(node.body));
    }
  }
}

/** What stands in a row, with the rounds of counted repetitions one after another. */
function writeOut(node: Node): Node[] {
  if (node.kind === "sequence") return node.items.flatMap(writeOut);
  if (node.kind !== "repeat" || node.body.kind === "set" || node.max === 1 || !Number.isFinite(node.max)) return [node];
  const round = writeOut(node.body);
  const rounds = Math.min(node.max, MOST_ROUNDS, Math.ceil(MOST_ITEMS / Math.max(1, round.length)));
  return Array.from({ length: rounds }, () => round).flat();
}

/**
 * A part of a pattern by the runs in it: neighbours whose characters overlap, with nothing between that parts them. The
 * first and the last run go on in what stands around the part.
 */
interface Weight {
  readonly heaviest: number;
  readonly head: number;
  readonly tail: number;
  /** The weight of the only run, where nothing in the part parts it. */
  readonly through: number | undefined;
  readonly nullable: boolean;
  /** Every character that can stand in it. */
  readonly set: CharSet;
}

const NO_WEIGHT: Weight = weighOne(0, true, []);

function joinRow(parts: readonly Weight[]): Weight {
  let heaviest = 0;
  let head: number | undefined; // the weight of the first run, once something has parted it from the rest
  let run = 0;
  let characters: CharSet = []; // of the parts that have weight in this run
  let lead: CharSet | undefined; // what must stand before the first run
  for (const part of parts) {
    const overlaps = intersects(part.set, characters);
    const entering = part.through ?? part.head;
    const joined = overlaps ? run + entering : entering;
    heaviest = Math.max(heaviest, part.heaviest, joined);
    const isFixed = part.through === 0 && !part.nullable;
    if (characters.length === 0 && lead !== undefined && !intersects(lead, part.set)) head ??= 0;
    if (overlaps && part.through !== undefined) {
      run = joined;
      if (!isFixed) characters = unite([characters, part.set]);
    } else if (part.nullable) {
      // It can be skipped, so it does not part what stands around it.
      run = Math.max(run, part.through ?? part.tail);
      characters = unite([characters, part.set]);
    } else {
      if (part.through === undefined) head ??= joined;
      else if (characters.length > 0) head ??= run;
      if (isFixed && characters.length === 0) lead ??= part.set;
      run = part.through ?? part.tail;
      characters = isFixed ? [] : part.set;
    }
  }
  return {
    heaviest,
    head: head ?? run,
    tail: run,
    through: head === undefined ? run : undefined,
    nullable: parts.every((part) => part.nullable),
    set: unite(parts.map((part) => part.set)),
  };
}

function repeatWeight({ min, max }: Extract<Node, { kind: "repeat" }>, body: Weight): Weight {
  const own = max !== min && max >= LIKE_A_LOOP ? LOOP_WEIGHT : min === 0 ? OPTIONAL_WEIGHT : 0;
  const nullable = body.nullable || min === 0;
  return body.through === undefined ? { ...body, nullable } : weighOne(Math.max(own, body.through), nullable, body.set);
}

function weighOne(weight: number, nullable: boolean, set: CharSet): Weight {
  return { heaviest: weight, head: weight, tail: weight, through: weight, nullable, set };
}

function joinChoice(options: readonly Weight[]): Weight {
  const throughs = options.flatMap((option) => option.through ?? []);
  return {
    heaviest: Math.max(...options.map((option) => option.heaviest)),
    head: Math.max(...options.map((option) => option.head)),
    tail: Math.max(...options.map((option) => option.tail)),
    through: throughs.length === 0 ? undefined : Math.max(...throughs),
    nullable: options.some((option) => option.nullable),
    set: unite(options.map((option) => option.set)),
  };
}

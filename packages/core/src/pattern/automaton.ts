import type { CharSet } from "./char-set.js";
import type { Node } from "./parse.js";

/** How many ways there are: none, one, or several. */
export type Ways = 0 | 1 | 2;

/** The places of a pattern where a character is read, and in how many ways one follows another. */
export interface Automaton {
  readonly sets: readonly CharSet[];
  readonly follow: readonly ReadonlyMap<number, Ways>[];
}

/** What is left of the work that may be done; below zero there is no answer. */
export interface Budget {
  left: number;
}

/** A part of a pattern: where it can start and end, and in how many ways it can match nothing. */
interface Part {
  readonly nullable: Ways;
  readonly first: ReadonlyMap<number, Ways>;
  readonly last: ReadonlyMap<number, Ways>;
}

const NOWHERE: ReadonlyMap<number, Ways> = new Map();
const EMPTY: Part = { nullable: 1, first: NOWHERE, last: NOWHERE };
/** Counted repetitions are written out as far as that makes no more places than this. */
const MOST_COPIED_PLACES = 300;
/** From here on, `x{n,m}` is taken for a loop: it behaves like one. */
const MOST_OPTIONAL_COPIES = 4;

/** Builds the automaton of a pattern. Incomplete once the budget is used up. */
export function buildAutomaton(root: Node, budget: Budget): Automaton {
  const sets: CharSet[] = [];
  const follow: Map<number, Ways>[] = [];
  let copied = 0;

  function build(node: Node): Part {
    if (budget.left < 0) return EMPTY;
    switch (node.kind) {
      case "empty":
      case "look":
        return EMPTY;
      case "set":
        return buildSet(node.set);
      case "sequence":
        return node.items.reduce<Part>((part, item) => join(part, build(item)), EMPTY);
      case "choice":
        return choose(node.options.map(build));
      case "repeat":
        return buildRepeat(node);
    }
  }

  function buildSet(set: CharSet): Part {
    const place = sets.push(set) - 1;
    follow.push(new Map());
    budget.left -= 1;
    const here = new Map<number, Ways>([[place, 1]]);
    return { nullable: 0, first: here, last: here };
  }

  function buildRepeat({ body, min, max }: Extract<Node, { kind: "repeat" }>): Part {
    if (max === 1) return optional(build(body));
    const places = countPlaces(body) * max;
    const writtenOut = (min === max || max <= MOST_OPTIONAL_COPIES) && copied + places <= MOST_COPIED_PLACES;
    if (!writtenOut) return loop(build(body), min);
    copied += places;
    let part = EMPTY;
    // From the inside: x{1,3} is x(x(x)?)?
    for (let copy = max; copy > 0; copy -= 1) {
      const joined = join(build(body), part);
      part = copy > min ? optional(joined) : joined;
    }
    return part;
  }

  function loop(body: Part, min: number): Part {
    connect(body.last, body.first);
    return min === 0 ? optional(body) : body;
  }

  function join(a: Part, b: Part): Part {
    connect(a.last, b.first);
    return {
      nullable: times(a.nullable, b.nullable),
      first: add(a.first, b.first, a.nullable),
      last: add(b.last, a.last, b.nullable),
    };
  }

  function choose(parts: readonly Part[]): Part {
    return {
      nullable: parts.reduce<Ways>((sum, part) => plus(sum, part.nullable), 0),
      first: addAll(parts.map((part) => part.first)),
      last: addAll(parts.map((part) => part.last)),
    };
  }

  function connect(from: ReadonlyMap<number, Ways>, to: ReadonlyMap<number, Ways>): void {
    budget.left -= from.size * to.size;
    if (budget.left < 0) return;
    for (const [place, ways] of from) {
      const next = follow[place];
      for (const [target, more] of to) next?.set(target, plus(next.get(target) ?? 0, times(ways, more)));
    }
  }

  function add(a: ReadonlyMap<number, Ways>, b: ReadonlyMap<number, Ways>, factor: Ways): ReadonlyMap<number, Ways> {
    if (factor === 0 || b.size === 0) return a;
    if (a.size === 0 && factor === 1) return b;
    budget.left -= a.size + b.size;
    const sum = new Map(a);
    for (const [place, ways] of b) sum.set(place, plus(sum.get(place) ?? 0, times(ways, factor)));
    return sum;
  }

  function addAll(maps: readonly ReadonlyMap<number, Ways>[]): ReadonlyMap<number, Ways> {
    const sum = new Map<number, Ways>();
    for (const map of maps) {
      budget.left -= map.size;
      for (const [place, ways] of map) sum.set(place, plus(sum.get(place) ?? 0, ways));
    }
    return sum;
  }

  build(root);
  return { sets, follow };
}

/** How many places a part has when it is built once. */
function countPlaces(node: Node): number {
  switch (node.kind) {
    case "empty":
    case "look":
      return 0;
    case "set":
      return 1;
    case "sequence":
      return node.items.reduce((sum, item) => sum + countPlaces(item), 0);
    case "choice":
      return node.options.reduce((sum, option) => sum + countPlaces(option), 0);
    case "repeat":
      return countPlaces(node.body) * (Number.isFinite(node.max) ? node.max : 1);
  }
}

/** A repetition that matched nothing does not count as a way of its own: engines leave such a round out. */
function optional(part: Part): Part {
  return { ...part, nullable: 1 };
}

function plus(a: Ways, b: Ways): Ways {
  return a === 0 ? b : b === 0 ? a : 2;
}

function times(a: Ways, b: Ways): Ways {
  return a === 0 || b === 0 ? 0 : a === 1 && b === 1 ? 1 : 2;
}

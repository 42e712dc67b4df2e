import { type Automaton, type Budget, buildAutomaton } from "./pattern/automaton.js";
import { type CharSet, intersects } from "./pattern/char-set.js";
import { hasLongRun } from "./pattern/long-run.js";
import { type Node, parsePattern } from "./pattern/parse.js";

/** Longer patterns are refused unread. */
const MOST_CHARACTERS = 4_000;
/** Work for all patterns of one checker, so that a document full of them cannot take long either. */
const WORK = 300_000;
/** A bounded repetition of this many rounds can already take too long when each round is ambiguous. */
const MANY_ROUNDS = 10;

/**
 * Creates what tells whether a regular expression is safe to run on text of a stranger: whether no backtracking engine
 * can take exponential time for it. Looks for repetition that can match one text in several ways, such as `(a+)+` or
 * `(a|ab|b)*`. Errs on the side of refusing patterns that are too large to decide, with one limit for the work on all
 * that one checker is asked about. It does not check that a pattern is valid.
 */
export function createPatternChecker(): (source: string) => boolean {
  const budget: Budget = { left: WORK };
  const properties = new Map<string, CharSet>();
  const verdicts = new Map<string, boolean>(); // documents repeat the same few patterns

  function check(source: string): boolean {
    if (source.length > MOST_CHARACTERS || budget.left < 0) return false;
    if (!/[*+?{]/.test(source)) return true; // nothing is repeated
    budget.left -= source.length;
    const root = parsePattern(source, properties);
    if (root === undefined || hasLongRun(root, budget)) return false;
    return listLoops(root).every((node) => node !== undefined && isUnambiguous(buildAutomaton(node, budget), budget));
  }

  return (source) => {
    const verdict = verdicts.get(source) ?? check(source);
    verdicts.set(source, verdict);
    return verdict;
  };
}

/**
 * What has to be unambiguous by itself: the whole pattern, what it looks ahead or behind for, and, as if it went on for
 * ever, whatever is repeated so often that the number of rounds is no comfort. `undefined` stands for a part that is
 * known to be unsafe.
 */
function listLoops(root: Node): (Node | undefined)[] {
  const found: (Node | undefined)[] = [root];
  visit(root, 1);
  return found;

  function visit(node: Node, rounds: number): void {
    switch (node.kind) {
      case "sequence":
        for (const item of node.items) visit(item, rounds);
        return;
      case "choice":
        for (const option of node.options) visit(option, rounds);
        return;
      case "look":
        found.push(node.body);
        visit(node.body, rounds);
        return;
      case "repeat":
        visitRepeat(node, rounds);
        return;
      case "empty":
      case "set":
    }
  }

  function visitRepeat({ body, min, max }: Extract<Node, { kind: "repeat" }>, outer: number): void {
    // Inside an endless loop, ambiguity shows up in the loop itself.
    const rounds = Number.isFinite(max) ? max * outer : outer;
    if (body.kind !== "set" && Number.isFinite(max) && rounds >= MANY_ROUNDS) {
      found.push({ kind: "repeat", body, min: 0, max: Number.POSITIVE_INFINITY });
    }
    // Rounds that must happen may match nothing, and which of them do is tried in every combination.
    if (min > 1 && min * outer >= MANY_ROUNDS && canBeEmpty(body)) found.push(undefined);
    visit(body, rounds);
  }
}

function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case "set":
      return false;
    case "empty":
    case "look":
      return true;
    case "sequence":
      return node.items.every(canBeEmpty);
    case "choice":
      return node.options.some(canBeEmpty);
    case "repeat":
      return node.min === 0 || canBeEmpty(node.body);
  }
}

/**
 * Whether no loop can read one text in two ways. Two runs through the automaton read the same text at the same time: if
 * they can part inside a loop and meet again in it, every round of the loop doubles the number of ways.
 */
function isUnambiguous(automaton: Automaton, budget: Budget): boolean {
  const { sets, follow } = automaton;
  const loops = findLoops(follow);
  const seen = new Set<number>();
  const open: [number, number][] = [];

  /** Takes both runs one character on. Gives false where they meet. */
  function step(a: number, b: number): boolean {
    const loop = loops[a];
    for (const nextA of follow[a]?.keys() ?? []) {
      if (loops[nextA] !== loop) continue;
      for (const nextB of follow[b]?.keys() ?? []) {
        budget.left -= 1;
        if (loops[nextB] !== loop) continue;
        if (nextA === nextB) {
          if (a !== b) return false;
        } else if (intersects(sets[nextA] ?? [], sets[nextB] ?? [])) {
          part(nextA, nextB);
        }
      }
      if (budget.left < 0) return false;
    }
    return true;
  }

  function part(a: number, b: number): void {
    const key = Math.min(a, b) * sets.length + Math.max(a, b);
    if (seen.has(key)) return;
    seen.add(key);
    open.push([a, b]);
  }

  for (const [place, next] of follow.entries()) {
    for (const [target, ways] of next) if (ways === 2 && loops[place] === loops[target]) return false;
    if (!step(place, place)) return false;
  }
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (!step(pair[0], pair[1])) return false;
  }
  return budget.left >= 0;
}

/**
 * Numbers the loops: places that can reach each other get the same number. A place outside of any loop has a number of
 * its own. (Tarjan's strongly connected components, without recursion.)
 */
function findLoops(follow: Automaton["follow"]): readonly number[] {
  const order: number[] = [];
  const low: number[] = [];
  const loops: number[] = [];
  const stack: number[] = [];
  const path: { place: number; rest: IterableIterator<number> }[] = [];
  let count = 0;

  function enter(place: number): void {
    order[place] = count;
    low[place] = count;
    count += 1;
    stack.push(place);
    path.push({ place, rest: (follow[place] ?? new Map<number, number>()).keys() });
  }

  function lower(place: number, value: number | undefined): void {
    low[place] = Math.min(low[place] ?? 0, value ?? 0);
  }

  function leave(place: number): void {
    path.pop();
    const above = path.at(-1);
    if (above !== undefined) lower(above.place, low[place]);
    if (low[place] !== order[place]) return;
    for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
      loops[member] = place;
      if (member === place) return;
    }
  }

  for (const start of follow.keys()) {
    if (order[start] !== undefined) continue;
    enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.next();
      if (next.done === true) leave(top.place);
      else if (order[next.value] === undefined) enter(next.value);
      else if (loops[next.value] === undefined) lower(top.place, order[next.value]);
    }
  }
  return loops;
}

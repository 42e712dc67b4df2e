import { ANY, type CharSet, DIGIT, NOT_LINE_END, negate, SPACE, sampleProperty, unite, WORD } from "./char-set.js";

/** A pattern, as far as its running time depends on it. */
export type Node =
  | { readonly kind: "empty" }
  | { readonly kind: "set"; readonly set: CharSet }
  | { readonly kind: "sequence"; readonly items: readonly Node[] }
  | { readonly kind: "choice"; readonly options: readonly Node[] }
  | { readonly kind: "repeat"; readonly body: Node; readonly min: number; readonly max: number }
  | { readonly kind: "look"; readonly body: Node };

const EMPTY: Node = { kind: "empty" };
const MOST_NESTING = 40;
const QUANTIFIER = /(?:[*+?]|\{([0-9]+)(,?)([0-9]*)\})\??/y;
const GROUP_START = /\((?:\?(?:<?[=!]|:|<[^>]*>|[a-z-]*:))?/y;
const PROPERTY = /\\[pP]\{[^}]*\}/y;
const CODE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|c([A-Za-z]))/y;
const CONTROLS: ReadonlyMap<string, number> = new Map([
  ["t", 9],
  ["n", 10],
  ["v", 11],
  ["f", 12],
  ["r", 13],
  ["0", 0],
]);
const CLASSES: ReadonlyMap<string, CharSet> = new Map([
  ["d", DIGIT],
  ["D", negate(DIGIT)],
  ["w", WORD],
  ["W", negate(WORD)],
  ["s", SPACE],
  ["S", negate(SPACE)],
]);

/**
 * Reads the source of a regular expression. Lenient, since whether it is valid is for the engine to say. Gives
 * `undefined` for groups nested deeper than anyone writes them.
 */
export function parsePattern(source: string, properties: Map<string, CharSet>): Node | undefined {
  let at = 0;
  let depth = 0;
  let tooDeep = false;

  function readChoice(): Node {
    const options = [readSequence()];
    while (source[at] === "|") {
      at += 1;
      options.push(readSequence());
    }
    const [only] = options;
    return options.length === 1 && only !== undefined ? only : { kind: "choice", options };
  }

  function readSequence(): Node {
    const items: Node[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")" && !tooDeep) {
      const item = readQuantifiers(readAtom());
      if (item.kind === "sequence") items.push(...item.items);
      else if (item.kind !== "empty") items.push(item);
    }
    const [only] = items;
    if (items.length === 0) return EMPTY;
    return items.length === 1 && only !== undefined ? only : { kind: "sequence", items };
  }

  function readQuantifiers(body: Node): Node {
    const match = take(QUANTIFIER);
    if (match === undefined) return body;
    const [text, least = "0", comma, most] = match;
    const sign = text[0];
    const min = sign === "{" ? Number(least) : sign === "+" ? 1 : 0;
    const max =
      sign === "{"
        ? comma === ""
          ? min
          : most === ""
            ? Number.POSITIVE_INFINITY
            : Number(most)
        : sign === "?"
          ? 1
          : Number.POSITIVE_INFINITY;
    if (body.kind === "empty" || body.kind === "look" || max === 0) return body.kind === "look" ? body : EMPTY;
    return min === 1 && max === 1 ? body : { kind: "repeat", body, min, max };
  }

  function readAtom(): Node {
    switch (source[at]) {
      case "(":
        return readGroup();
      case "[":
        return { kind: "set", set: readClass() };
      case "\\":
        return readEscape();
      case ".":
        at += 1;
        return { kind: "set", set: NOT_LINE_END };
      case "^":
      case "$":
        at += 1;
        return EMPTY;
      default:
        return single(readCharacter());
    }
  }

  function readGroup(): Node {
    const start = take(GROUP_START)?.[0] ?? "(";
    depth += 1;
    if (depth > MOST_NESTING) tooDeep = true;
    const body = tooDeep ? EMPTY : readChoice();
    depth -= 1;
    if (source[at] === ")") at += 1;
    return /[=!]$/.test(start) ? { kind: "look", body } : body;
  }

  function readEscape(): Node {
    const next = source[at + 1] ?? "";
    if (next === "b" || next === "B") {
      at += 2;
      return EMPTY;
    }
    if (/[1-9k]/.test(next)) {
      // A back reference can stand for any text.
      at += next === "k" ? Math.max(2, source.indexOf(">", at) + 1 - at) : 2;
      return { kind: "repeat", body: { kind: "set", set: ANY }, min: 0, max: Number.POSITIVE_INFINITY };
    }
    return { kind: "set", set: readEscapedSet() };
  }

  /** An escape that stands for one character, inside or outside of brackets. */
  function readEscapedSet(): CharSet {
    const known = CLASSES.get(source[at + 1] ?? "");
    if (known !== undefined) {
      at += 2;
      return known;
    }
    const property = take(PROPERTY)?.[0];
    if (property !== undefined) return readProperty(property);
    const code = readCode();
    return [code, code];
  }

  function readProperty(property: string): CharSet {
    const set = properties.get(property) ?? sampleProperty(property);
    properties.set(property, set);
    return set;
  }

  function readCode(): number {
    const match = take(CODE);
    if (match !== undefined) {
      const hex = match[1] ?? match[2] ?? match[3];
      return hex === undefined ? (match[4] ?? "").charCodeAt(0) % 32 : Number.parseInt(hex, 16);
    }
    at += 1; // the backslash
    const control = CONTROLS.get(source[at] ?? "");
    if (control === undefined) return readCharacter();
    at += 1;
    return control;
  }

  function readCharacter(): number {
    const code = source.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    return code;
  }

  function readClass(): CharSet {
    at += 1;
    const negated = source[at] === "^";
    if (negated) at += 1;
    const sets: CharSet[] = [];
    while (at < source.length && source[at] !== "]") {
      const set = readClassAtom();
      const [from, to] = set;
      const isRange =
        source[at] === "-" && at + 1 < source.length && source[at + 1] !== "]" && set.length === 2 && from === to;
      if (!isRange) {
        sets.push(set);
        continue;
      }
      at += 1;
      const last = readClassAtom();
      const end = last.length === 2 ? (last[1] ?? 0) : 0;
      sets.push(...(end >= (from ?? 0) ? [[from ?? 0, end]] : [set, last]));
    }
    at += 1;
    const set = unite(sets);
    return negated ? negate(set) : set;
  }

  function readClassAtom(): CharSet {
    if (source.startsWith("\\b", at)) {
      at += 2;
      return [8, 8]; // a backspace, inside of brackets
    }
    if (source[at] === "\\") return readEscapedSet();
    const code = readCharacter();
    return [code, code];
  }

  function take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = at;
    const match = expression.exec(source) ?? undefined;
    if (match !== undefined) at += match[0].length;
    return match;
  }

  const options = [readChoice()];
  // A closing bracket too many: the engine refuses it, but everything behind it is looked at all the same.
  while (at < source.length && !tooDeep) {
    at += 1;
    options.push(readChoice());
  }
  return tooDeep ? undefined : { kind: "choice", options };
}

function single(code: number): Node {
  return { kind: "set", set: [code, code] };
}

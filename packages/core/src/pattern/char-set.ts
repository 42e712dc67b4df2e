/** A set of code points, as sorted ranges: `[from, to, from, to, …]`, both ends included. */
export type CharSet = readonly number[];

const LAST = 0x10ffff;

export const ANY: CharSet = [0, LAST];
export const DIGIT: CharSet = toSet("09");
export const WORD: CharSet = toSet("09AZ__az");
export const SPACE: CharSet = [
  0x09, 0x0d, 0x20, 0x20, 0xa0, 0xa0, 0x1680, 0x1680, 0x2000, 0x200a, 0x2028, 0x2029, 0x202f, 0x202f, 0x205f, 0x205f,
  0x3000, 0x3000, 0xfeff, 0xfeff,
];
const LINE_END: CharSet = [0x0a, 0x0a, 0x0d, 0x0d, 0x2028, 0x2029];
export const NOT_LINE_END: CharSet = negate(LINE_END);

/** One character of most scripts and of each kind: enough to tell apart properties such as letters, digits and symbols. */
const SAMPLES =
  "ªµßéÉĀжЖΩωאجअกあアㄱ가東〇٣²½\u0301\u0903\u20e3—„»‿〈（€←∑©😀🦰🏽🇩𝒜𐐀\u00a0\u3000\u2028\u200d\ufe0f\u00ad\ue000\u{e0041}";

/** Whether the two have a code point in common. */
export function intersects(a: CharSet, b: CharSet): boolean {
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (at(a, i + 1) < at(b, j)) i += 2;
    else if (at(b, j + 1) < at(a, i)) j += 2;
    else return true;
  }
  return false;
}

/** Everything that is in one of them. */
export function unite(sets: readonly CharSet[]): CharSet {
  if (sets.length === 1 && sets[0] !== undefined) return sets[0];
  const ranges: [number, number][] = [];
  for (const set of sets) for (let i = 0; i < set.length; i += 2) ranges.push([at(set, i), at(set, i + 1)]);
  ranges.sort((a, b) => a[0] - b[0]);
  const united: number[] = [];
  for (const [from, to] of ranges) {
    const end = united.length - 1;
    if (end > 0 && from <= at(united, end) + 1) united[end] = Math.max(at(united, end), to);
    else united.push(from, to);
  }
  return united;
}

/** Everything that is not in it. */
export function negate(set: CharSet): CharSet {
  const rest: number[] = [];
  let next = 0;
  for (let i = 0; i < set.length; i += 2) {
    if (at(set, i) > next) rest.push(next, at(set, i) - 1);
    next = at(set, i + 1) + 1;
  }
  if (next <= LAST) rest.push(next, LAST);
  return rest;
}

/** About what `\p{…}` stands for: exact in ASCII, by samples beyond. Everything, where the property is not known. */
export function sampleProperty(property: string): CharSet {
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${property}$`, "u");
  } catch {
    return ANY; // a property that this runtime does not know
  }
  const samples = [...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ...SAMPLES];
  const codes = samples.filter((sample) => pattern.test(sample)).map((sample) => sample.codePointAt(0) ?? 0);
  return unite(codes.map((code) => [code, code]));
}

function toSet(pairs: string): CharSet {
  return Array.from(pairs, (character) => character.charCodeAt(0));
}

function at(set: CharSet, index: number): number {
  return set[index] ?? 0; // never outside: ranges come in pairs
}

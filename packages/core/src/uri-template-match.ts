import { MortiseError } from "./errors.js";
import type { UriTemplate } from "./uri-template.js";
import { hasDotSegment, type Segment, toSegments, type Values } from "./uri-template-segments.js";

/** Matches URIs against a template, which was prepared for it once. */
export interface UriMatcher {
  readonly template: UriTemplate;
  /** The values of the variables, or `undefined` where the URI is not one of the template's. */
  match(uri: string): MatchedValues | undefined;
}

/** Variables by name: a list for an exploded one, nothing for one that was left out. */
export type MatchedValues = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Longer ones match nothing: together with the length of a template this bounds the work. */
const MAX_URI_LENGTH = 8_192;

const NOWHERE = /* @__PURE__ */ new Uint8Array(0);

/**
 * Prepares a template for matching. A URI matches in one way at most: earlier variables take as much as they can. The work
 * grows with the length of the URI alone, whatever it holds.
 *
 * Values are decoded, and nothing encoded passes for a separator: `{id}` never holds `/`, `\\`, `?`, `#` or NUL and is never `.`
 * or `..`; `{+path}` and `{#part}` hold `/`, `?` and `#` only where the URI has them as they are, and no dot segments. Only the
 * values of `{?query}` and `{&query}`, which come in any order, may hold whatever was encoded. URIs with malformed escapes,
 * with other query members than the template's, or with more than 8,192 characters match nothing.
 *
 * Throws `invalid_options` for a template that has a variable twice.
 */
export function createUriMatcher(template: UriTemplate): UriMatcher {
  const segments = toSegments(template.parts);
  const count = template.parts.flatMap((part) => (part.kind === "text" ? [] : part.variables)).length;
  if (count !== template.names.length)
    throw new MortiseError("invalid_options", `Expected each variable once in ${JSON.stringify(template.text)}`);
  return { template, match: (uri) => matchSegments(segments, uri) };
}

function matchSegments(segments: readonly Segment[], uri: string): MatchedValues | undefined {
  if (uri.length > MAX_URI_LENGTH || !beginsLike(segments[0], uri)) return undefined;
  const [path = ""] = uri.split(/[?#]/, 1);
  if (hasDotSegment(path) || /\p{Surrogate}/u.test(uri)) return undefined;
  const ends = findEnds(segments, uri);
  return ends[0]?.[0] === 1 ? readValues(segments, uri, ends) : undefined;
}

/** Goes through a URI that matches. Gives `undefined` where a value must not hold what it holds. */
function readValues(segments: readonly Segment[], uri: string, ends: readonly Uint8Array[]): MatchedValues | undefined {
  const values: Values = new Map();
  let place = 0;
  for (const [index, segment] of segments.entries()) {
    const next = ends[index + 1] ?? NOWHERE;
    if (segment.kind === "text") {
      place += formAt(segment.forms, uri, place, next)?.length ?? 0;
      continue;
    }
    const end = findLongest(segment, uri, place, next);
    if (end === undefined) continue; // it was left out, or the whole would not match
    if (!segment.read(uri.slice(place + segment.lead.length, end), values)) return undefined;
    place = end;
  }
  return Object.fromEntries(values);
}

/** Most URIs belong to another template, and differ at once. */
function beginsLike(first: Segment | undefined, uri: string): boolean {
  return first?.kind !== "text" || first.forms.some((form) => uri.startsWith(form));
}

/**
 * For each segment, from which places on it and all that follow it match up to the end. Found from the back, so that no
 * choice is ever taken back.
 */
function findEnds(segments: readonly Segment[], uri: string): readonly Uint8Array[] {
  let next = new Uint8Array(uri.length + 1);
  next[uri.length] = 1;
  const ends = [next];
  for (const segment of [...segments].reverse()) {
    next = segment.kind === "text" ? findTextEnds(segment.forms, uri, next) : findSpanEnds(segment, uri, next);
    ends.unshift(next);
  }
  return ends;
}

function findTextEnds(forms: readonly string[], uri: string, next: Uint8Array): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(uri.length + 1);
  for (let place = 0; place <= uri.length; place += 1) {
    if (formAt(forms, uri, place, next) !== undefined) ends[place] = 1;
  }
  return ends;
}

function formAt(forms: readonly string[], uri: string, place: number, next: Uint8Array): string | undefined {
  for (const form of forms) if (next[place + form.length] === 1 && uri.startsWith(form, place)) return form;
  return undefined;
}

function findSpanEnds(
  { lead, optional, stops }: Segment & { kind: "span" },
  uri: string,
  next: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const ends = new Uint8Array(uri.length + 1);
  if (optional) ends.set(next);
  let begins = false; // whether a span that begins one place further on ends well
  for (let place = uri.length - 1; place >= 0; place -= 1) {
    const character = uri.charAt(place);
    const here: boolean = !stops.includes(character) && (begins || next[place + 1] === 1);
    if (lead === "" ? here : begins && character === lead) ends[place] = 1;
    begins = here;
  }
  return ends;
}

/** Where the longest span at a place ends, lead included. */
function findLongest(
  { lead, stops }: Segment & { kind: "span" },
  uri: string,
  start: number,
  next: Uint8Array,
): number | undefined {
  if (!uri.startsWith(lead, start)) return undefined;
  let longest: number | undefined;
  for (let place = start + lead.length; place < uri.length && !stops.includes(uri.charAt(place)); place += 1) {
    if (next[place + 1] === 1) longest = place + 1;
  }
  return longest;
}

import { MortiseError } from "./errors.js";
import type { TemplatePart, TemplateVariable, UriTemplate } from "./uri-template.js";

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

type Values = Map<string, string | string[]>;

/** What a URI must have in one place. */
type Segment =
  | { readonly kind: "text"; readonly forms: readonly string[] }
  | {
      readonly kind: "span";
      /** The character that begins it, or none. */
      readonly lead: string;
      /** Where there is a lead, whether lead and span may both be missing. */
      readonly optional: boolean;
      /** Characters that end it. It is at least one character long. */
      readonly stops: string;
      /** Reads the values out of the span. Gives false where it must not hold what it holds. */
      readonly read: (span: string, values: Values) => boolean;
    };

/** Decodes one value. Gives `undefined` for what must not come through. */
type Decode = (raw: string) => string | undefined;

const NOWHERE = new Uint8Array(0);
const PATH_STOPS = "/?#\\";
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;

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
  const segments = endBeforeOptional(joinQueries(template.parts).flatMap(toSegments));
  const count = template.parts.flatMap((part) => (part.kind === "text" ? [] : part.variables)).length;
  if (count !== template.names.length)
    throw new MortiseError("invalid_options", `Expected each variable once in ${JSON.stringify(template.text)}`);
  return { template, match: (uri) => matchSegments(segments, uri) };
}

function matchSegments(segments: readonly Segment[], uri: string): MatchedValues | undefined {
  if (uri.length > MAX_URI_LENGTH || !beginsLike(segments[0], uri)) return undefined;
  const [path = ""] = uri.split(/[?#]/, 1);
  if (DOT_SEGMENT.test(path) || /\p{Surrogate}/u.test(uri)) return undefined;
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

/** Where something that can be left out may begin, what stands before it ends: else it would always be left out. */
function endBeforeOptional(segments: readonly Segment[]): readonly Segment[] {
  let leads = "";
  const ended = [...segments].reverse().map((segment) => {
    if (segment.kind === "text") {
      leads = "";
      return segment;
    }
    const stops = segment.stops + leads.replace(segment.lead, "");
    leads = segment.optional ? leads + segment.lead : "";
    return { ...segment, stops };
  });
  return ended.reverse();
}

/** `{?a}{&b}` is `{?a,b}`: one query, in any order. */
function joinQueries(parts: readonly TemplatePart[]): readonly TemplatePart[] {
  const joined: TemplatePart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (isQuery(part) && part.operator === "&" && isQuery(last))
      joined[joined.length - 1] = { ...last, variables: [...last.variables, ...part.variables] };
    else joined.push(part);
  }
  return joined;
}

function isQuery(part: TemplatePart | undefined): part is TemplatePart & { kind: "expression" } {
  return part?.kind === "expression" && (part.operator === "?" || part.operator === "&");
}

function toSegments(part: TemplatePart): readonly Segment[] {
  if (part.kind === "text") {
    const encoded = part.text.replace(/[^ -~]+/g, encodeURIComponent);
    return [{ kind: "text", forms: encoded === part.text ? [encoded] : [part.text, encoded] }];
  }
  const { operator, variables } = part;
  switch (operator) {
    case "":
      return toList(variables, { first: "", separator: ",", stops: PATH_STOPS, decode: decodeName });
    case "+":
      return toList(variables, { first: "", separator: ",", stops: "\\", decode: decodePath });
    case "#":
      return toList(variables, { first: "#", separator: ",", stops: "\\", decode: decodePath });
    case ".":
      return toList(variables, { first: ".", separator: ".", stops: PATH_STOPS, decode: decodeName });
    case "/":
      return toList(variables, { first: "/", separator: "/", stops: PATH_STOPS, decode: decodeName });
    case ";":
      return [toPairs(variables, { lead: ";", separator: ";", stops: PATH_STOPS, decode: decodeName })];
    case "?":
    case "&":
      return [toPairs(variables, { lead: operator, separator: "&", stops: "#", decode: decodeData })];
  }
}

interface ListStyle {
  readonly first: string;
  readonly separator: string;
  readonly stops: string;
  readonly decode: Decode;
}

/** Values one after another. The separator ends a value where another can follow. */
function toList(variables: readonly TemplateVariable[], style: ListStyle): readonly Segment[] {
  const { first, separator, decode } = style;
  return variables.map((variable, index) => {
    const others = variables.length > 1 && !style.stops.includes(separator) ? separator : "";
    const stops = variable.explode ? style.stops.replace(separator, "") : style.stops + others;
    return {
      kind: "span",
      lead: index === 0 ? first : separator,
      optional: first !== "",
      stops,
      read: (span, values) => {
        const pieces = variable.explode ? span.split(separator) : [span];
        return pieces.every((piece) => piece !== "" && keep(variable, decode(piece), values));
      },
    };
  });
}

interface PairStyle {
  readonly lead: string;
  readonly separator: string;
  readonly stops: string;
  readonly decode: Decode;
}

/** Values with their names, in any order, each once unless it is exploded. */
function toPairs(variables: readonly TemplateVariable[], { lead, separator, stops, decode }: PairStyle): Segment {
  const known = new Map(variables.map((variable) => [variable.name, variable]));
  return {
    kind: "span",
    lead,
    optional: true,
    stops,
    read: (span, values) => {
      const seen = new Set<string>();
      return span.split(separator).every((pair) => {
        const [name = ""] = pair.split("=", 1);
        const variable = known.get(name);
        if (variable === undefined || (seen.has(name) && !variable.explode)) return false;
        seen.add(name);
        return keep(variable, decode(pair.slice(name.length + 1)), values);
      });
    },
  };
}

/** Remembers a value. Gives false for none, and for one that is too long. */
function keep({ name, explode, prefix }: TemplateVariable, value: string | undefined, values: Values): boolean {
  if (value === undefined || (prefix !== undefined && [...value].length > prefix)) return false;
  const earlier = values.get(name);
  if (typeof earlier === "object") earlier.push(value);
  else values.set(name, explode ? [value] : value);
  return true;
}

function decodeData(raw: string): string | undefined {
  try {
    const value = decodeURIComponent(raw);
    return value.includes("\0") ? undefined : value;
  } catch {
    return undefined; // the only failure it has: a malformed escape, or one that is not UTF-8
  }
}

function decodeName(raw: string): string | undefined {
  const value = decodeData(raw);
  return value === undefined || /[/\\?#]/.test(value) || DOT_SEGMENT.test(value) ? undefined : value;
}

function decodePath(raw: string): string | undefined {
  if (/%(?:2f|5c|3f|23)/i.test(raw)) return undefined;
  const value = decodeData(raw);
  return value === undefined || DOT_SEGMENT.test(value) ? undefined : value;
}

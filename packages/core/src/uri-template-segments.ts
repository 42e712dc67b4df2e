import type { TemplatePart, TemplateVariable } from "./uri-template.js";

/*
 * What a template expects of a URI, place by place, for `uri-template-match.ts`.
 */

/** What was read so far. */
export type Values = Map<string, string | string[]>;

/** What a URI must have in one place. */
export type Segment =
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

const PATH_STOPS = "/?#\\";
const DOT_SEGMENT = /(?:^|[/\\])(?:\.|%2e){1,2}(?=[/\\]|$)/i;

/** What the parts of a template expect, in their order. */
export function toSegments(parts: readonly TemplatePart[]): readonly Segment[] {
  return endBeforeOptional(joinQueries(parts).flatMap(toPartSegments));
}

/** Tells whether a path has a segment that stands for this or the upper level, however it is written. */
export function hasDotSegment(path: string): boolean {
  return DOT_SEGMENT.test(path);
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

function toPartSegments(part: TemplatePart): readonly Segment[] {
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
  return value === undefined || /[/\\?#]/.test(value) || hasDotSegment(value) ? undefined : value;
}

function decodePath(raw: string): string | undefined {
  if (/%(?:2f|5c|3f|23)/i.test(raw)) return undefined;
  const value = decodeData(raw);
  return value === undefined || hasDotSegment(value) ? undefined : value;
}

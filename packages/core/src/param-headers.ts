import { decodeHeaderValue, isHeaderName, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { formatPath } from "./schema/format-path.js";
import { shapeOf } from "./schema/keywords.js";

/** A tool parameter that is mirrored into an HTTP header. */
export interface ParamHeader {
  /** The name as the schema spells it: what stands after `Mcp-Param-`. */
  readonly name: string;
  /** The whole header name in lower case, such as `mcp-param-region`. */
  readonly header: string;
  /** Where the value stands in the arguments: the chain of property names. */
  readonly path: readonly string[];
  readonly type: "string" | "integer" | "boolean";
}

/** The keyword that mirrors a parameter into a header. */
export const PARAM_ANNOTATION = "x-mcp-header";
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** More places than this are no tool's parameters; also what ends a schema that contains itself. */
const MOST_PLACES = 10_000;

/** An annotation as it stands in a schema. */
export interface ParamAnnotation {
  /** The keys that lead to the schema that has it. */
  readonly keys: readonly (string | number)[];
  readonly schema: JsonObject;
}

/**
 * Collects the parameters that an input schema mirrors into headers. Throws `invalid_param_header` when an annotation
 * breaks a rule; the message names the rule and the place. The schema may be a stranger's; where it was read with
 * `readSchema`, its annotations are known, and `toParamHeaders` is enough.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function collectParamHeaders(schema: JsonObject): ParamHeader[] {
  const found: ParamAnnotation[] = [];
  const places: Place[] = [{ schema, above: undefined, keys: [] }];
  let seen = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    seen += 1;
    if (seen > MOST_PLACES) throw new MortiseError("schema_too_large", `Expected at most ${MOST_PLACES} subschemas`);
    if (Object.hasOwn(place.schema, PARAM_ANNOTATION)) found.push({ schema: place.schema, keys: listKeys(place) });
    // Pushed in reverse, so that headers come in the order of the properties.
    for (const below of placesBelow(place).reverse()) places.push(below);
  }
  return toParamHeaders(found);
}

/** Makes headers of annotations. Throws `invalid_param_header` when one breaks a rule; the message names the rule and the place. */
export function toParamHeaders(annotations: readonly ParamAnnotation[]): ParamHeader[] {
  const names = new Set<string>();
  return annotations.map((annotation) => readAnnotation(annotation, names));
}

/**
 * Reads the value of a mirrored parameter: what `encodeHeaderValue` makes the header of. Gives `undefined` where the
 * arguments have none, have `null`, or have something that no header can carry.
 */
export function readParam(args: unknown, path: readonly string[]): string | number | boolean | undefined {
  let value = args;
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined;
}

/**
 * Tells whether a received header says the same as the arguments: present and equal where they have a value (integers
 * by their number, and only safe ones), absent where they have none.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-behavior-for-custom-headers
 */
export function matchesParam(param: ParamHeader, raw: string | undefined, args: unknown): boolean {
  const value = readParam(args, param.path);
  if (value === undefined || raw === undefined) return value === undefined && raw === undefined;
  const decoded = decodeHeaderValue(raw);
  if (decoded === undefined) return false;
  if (typeof value === "string") return decoded === value;
  if (typeof value === "boolean") return decoded === (value ? "true" : "false");
  if (param.type === "integer" && Number.isInteger(value) && !Number.isSafeInteger(value)) return false;
  return DECIMAL.test(decoded) && Number(decoded) === value;
}

function readAnnotation({ keys, schema }: ParamAnnotation, names: Set<string>): ParamHeader {
  const path = keys.filter((_, index) => index % 2 === 1).map(String);
  const broken = (rule: string): MortiseError => {
    const place = keys.length === 0 ? "the root" : JSON.stringify(formatPath(keys));
    return new MortiseError("invalid_param_header", `Expected "${PARAM_ANNOTATION}" at ${place} ${rule}`);
  };
  // Everywhere but on `properties`, and those of their own, an annotation is wrong.
  if (keys.length === 0 || !keys.every((key, index) => index % 2 === 1 || key === "properties"))
    throw broken('to stand on a property that only "properties" lead to');
  const { [PARAM_ANNOTATION]: name, type } = schema;
  if (typeof name !== "string" || name === "") throw broken("to be a string that is not empty");
  if (!isHeaderName(name)) throw broken("to have only the characters of a header name");
  if (!isHeaderType(type)) throw broken('to stand on a property whose "type" is "string", "integer" or "boolean"');
  const lowerCase = name.toLowerCase();
  if (names.has(lowerCase)) throw broken("to differ from every other one, regardless of case");
  names.add(lowerCase);
  return { name, header: `mcp-param-${lowerCase}`, path, type };
}

function isHeaderType(type: unknown): type is ParamHeader["type"] {
  return TYPES.has(type);
}

interface Place {
  readonly schema: JsonObject;
  /** The place this one was found in: keys are written out for annotations only. */
  readonly above: Place | undefined;
  /** What leads here from there. */
  readonly keys: readonly string[];
}

function placesBelow(above: Place): Place[] {
  return Object.entries(above.schema).flatMap(([keyword, value]) => {
    const shape = shapeOf(keyword);
    if (shape === "map" && isObject(value))
      return Object.entries(value).flatMap(([name, schema]) => toPlace(schema, above, [keyword, name]));
    if (shape !== "schema" && shape !== "schemas") return [];
    return (Array.isArray(value) ? value : [value]).flatMap((schema) => toPlace(schema, above, [keyword]));
  });
}

function toPlace(schema: unknown, above: Place, keys: readonly string[]): Place[] {
  return isObject(schema) ? [{ schema, above, keys }] : [];
}

function listKeys(place: Place): string[] {
  const keys: string[] = [];
  for (let at: Place = place; at.above !== undefined; at = at.above) keys.unshift(...at.keys);
  return keys;
}

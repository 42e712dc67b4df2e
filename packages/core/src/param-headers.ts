import { MortiseError } from "./errors.js";
import { isHeaderName } from "./header-name.js";
import { decodeHeaderValue } from "./header-value.js";
import { isObject, type JsonObject } from "./json.js";
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

const ANNOTATION = "x-mcp-header";
const DECIMAL = /^-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** More places than this are no tool's parameters; also what ends a schema that contains itself. */
const MOST_PLACES = 10_000;

/**
 * Collects the parameters that an input schema mirrors into headers. Throws `invalid_param_header` when an annotation
 * breaks a rule; the message names the rule and the place.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
export function collectParamHeaders(schema: JsonObject): ParamHeader[] {
  const found: ParamHeader[] = [];
  const names = new Set<string>();
  const places: Place[] = [{ schema, above: undefined, name: "", reachable: true }];
  let seen = 0;
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    seen += 1;
    if (seen > MOST_PLACES) throw new MortiseError("schema_too_large", `Expected at most ${MOST_PLACES} subschemas`);
    if (Object.hasOwn(place.schema, ANNOTATION)) found.push(readAnnotation(place, names));
    // Pushed in reverse, so that headers come in the order of the properties.
    for (const below of placesBelow(place).reverse()) places.push(below);
  }
  return found;
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

interface Place {
  readonly schema: JsonObject;
  /** The place this one was found in: paths are written out for annotations only. */
  readonly above: Place | undefined;
  readonly name: string;
  /** Whether only `properties` lead here. */
  readonly reachable: boolean;
}

function readAnnotation(place: Place, names: Set<string>): ParamHeader {
  const { schema, reachable } = place;
  const path = pathOf(place);
  if (!reachable || path.length === 0) {
    throw broken(path, 'to stand on a property that only "properties" lead to');
  }
  const name = schema[ANNOTATION];
  if (typeof name !== "string" || name === "") throw broken(path, "to be a string that is not empty");
  if (!isHeaderName(name)) throw broken(path, "to have only the characters of a header name");
  const { type } = schema;
  if (!isHeaderType(type))
    throw broken(path, 'to stand on a property whose "type" is "string", "integer" or "boolean"');
  const lowerCase = name.toLowerCase();
  if (names.has(lowerCase)) throw broken(path, "to differ from every other one, regardless of case");
  names.add(lowerCase);
  return { name, header: `mcp-param-${lowerCase}`, path, type };
}

function placesBelow(above: Place): Place[] {
  const below: Place[] = [];
  for (const [keyword, value] of Object.entries(above.schema)) {
    const shape = shapeOf(keyword);
    if (shape === "map" && isObject(value)) {
      // Everywhere but in `properties`, an annotation is wrong.
      const direct = keyword === "properties";
      for (const [name, schema] of Object.entries(value))
        add(below, { schema, above, name: direct ? name : `${keyword}.${name}`, reachable: direct && above.reachable });
    } else if (shape === "schema" || shape === "schemas") {
      for (const schema of Array.isArray(value) ? value : [value])
        add(below, { schema, above, name: keyword, reachable: false });
    }
  }
  return below;
}

function add(places: Place[], place: Omit<Place, "schema"> & { readonly schema: unknown }): void {
  if (isObject(place.schema)) places.push({ ...place, schema: place.schema });
}

function pathOf(place: Place): string[] {
  const path: string[] = [];
  for (let at: Place = place; at.above !== undefined; at = at.above) path.push(at.name);
  return path.reverse();
}

function isHeaderType(type: unknown): type is ParamHeader["type"] {
  return TYPES.has(type);
}

function broken(path: readonly string[], rule: string): MortiseError {
  const place = path.length === 0 ? "the root" : JSON.stringify(path.join("."));
  return new MortiseError("invalid_param_header", `Expected "${ANNOTATION}" at ${place} ${rule}`);
}

import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { PARAM_ANNOTATION, type ParamAnnotation } from "../param-headers.js";
import { type Dialect, selectDialect } from "./dialect.js";
import { formatPath } from "./format-path.js";
import { type Shape, shapeOf } from "./keywords.js";
import { findTarget, type Resource, ROOT_BASE, resolveId } from "./references.js";

/** A JSON Schema that was read: well formed, within bounds, and complete in itself. */
export interface SchemaReading {
  /** What was read as plain JSON, frozen throughout. */
  readonly json: JsonObject;
  readonly dialect: Dialect;
  /** Every schema in it that is an object. */
  readonly schemas: ReadonlySet<JsonObject>;
  /** What the references of a schema lead to. */
  readonly targets: ReadonlyMap<JsonObject, readonly unknown[]>;
  /** Whether it has references or patterns. A stranger can make these costly, so that they want a closer look before use. */
  readonly suspicious: boolean;
  /** Where `x-mcp-header` stands in it. */
  readonly annotations: readonly ParamAnnotation[];
}

/** Where keywords stand. */
interface Place {
  /** The copy of the schema that has them. */
  readonly holder: JsonObject;
  readonly depth: number;
  /** The address that references are relative to. */
  readonly base: string;
}

/** Levels of schemas within schemas, and of values within values such as `default`. */
const MAX_DEPTH = 64;
/** Schemas within the document, itself included. */
const MAX_SUBSCHEMAS = 10_000;
/** Length of the document as JSON text, counted roughly. */
const MAX_LENGTH = 1_048_576;

const TYPES: readonly unknown[] = ["object", "array", "string", "number", "integer", "boolean", "null"];

type Rule = readonly [expected: string, holds: (value: unknown) => boolean];

const STRING: Rule = ["a string", (value) => typeof value === "string"];

/** What keywords without schemas have to look like. */
const RULES: Readonly<Partial<Record<Shape, Rule>>> = {
  names: ["a list of names", isNames],
  "names map": [
    "an object whose members are lists of names",
    (value) => isObject(value) && listValues(value).every(isNames),
  ],
  types: [`one or several of ${TYPES.join(", ")}`, isTypes],
  count: ["a whole number that is not negative", (value) => Number.isSafeInteger(value) && Number(value) >= 0],
  number: ["a number", Number.isFinite],
  boolean: ["a boolean", (value) => typeof value === "boolean"],
  string: STRING,
  reference: STRING,
  pattern: STRING,
  array: ["an array", Array.isArray],
};

/**
 * Reads a JSON Schema that a program or a stranger wrote, and copies it, before anything uses it. Throws `schema_invalid` (a
 * malformed keyword, named by its place, or a value that JSON cannot hold), `schema_dialect`, `schema_too_large` (depth, number
 * of subschemas, length) and `schema_ref` (a reference that leads out of the document, or nowhere; nothing is ever fetched).
 * `where` names the schema in errors. Neither cost of references nor of patterns is judged here: see `suspicious`.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#json-schema-usage
 */
export function readSchema(source: JsonObject, where = "schema"): SchemaReading {
  const dialect = selectDialect(source.$schema, where);
  const schemas = new Set<JsonObject>();
  const targets = new Map<JsonObject, unknown[]>();
  const resources = new Map<string, Resource>();
  const references: (Place & { readonly ref: string })[] = [];
  const path: (string | number)[] = [];
  let subschemas = 0;
  let length = 0;
  let patterns = false;
  const annotations: ParamAnnotation[] = [];
  /** False while a part is read that was copied before. */
  let copying = true;

  function malformed(expected: string, value: unknown): MortiseError {
    const received = typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : describeType(value);
    const place = path.length === 0 ? "" : `"${formatPath(path)}" of `;
    return new MortiseError("schema_invalid", `Expected ${place}the ${where} to be ${expected}, received ${received}`);
  }

  function limit(value: number, most: number, what: string): void {
    if (value > most)
      throw new MortiseError("schema_too_large", `Expected the ${where} to have at most ${most} ${what}`);
  }

  function count(value: unknown, depth: number): void {
    length += typeof value === "string" ? value.length + 3 : 6;
    limit(depth, MAX_DEPTH, "levels");
    limit(length, MAX_LENGTH, "bytes");
  }

  function copyMembers(
    value: JsonObject,
    copy: JsonObject,
    visit: (inner: unknown, member: string) => unknown,
  ): JsonObject {
    if (!isPlain(value)) throw malformed("a value that JSON can hold", value);
    for (const [member, inner] of Object.entries(value)) {
      if (inner === undefined) continue; // as JSON does
      length += member.length + 4;
      path.push(member);
      const copied = visit(inner, member);
      path.pop();
      if (copying) setMember(copy, member, copied);
    }
    return Object.freeze(copy);
  }

  function copyItems(values: readonly unknown[], visit: (inner: unknown) => unknown): readonly unknown[] {
    const copy = values.map((inner, index) => {
      path.push(index);
      const copied = visit(inner);
      path.pop();
      return copied;
    });
    return copying ? Object.freeze(copy) : values;
  }

  function readValue(value: unknown, depth: number): unknown {
    count(value, depth);
    if (Array.isArray(value)) return copyItems(value, (inner) => readValue(inner, depth + 1));
    if (isObject(value)) return copyMembers(value, copying ? {} : value, (inner) => readValue(inner, depth + 1));
    if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value))
      return value;
    throw malformed("a value that JSON can hold", value);
  }

  function readSubschema(value: unknown, depth: number, outer: string): unknown {
    count(value, depth);
    subschemas += 1;
    limit(subschemas, MAX_SUBSCHEMAS, "subschemas");
    if (typeof value === "boolean") return value;
    if (!isObject(value)) throw malformed("a schema (an object or a boolean)", value);
    const copy = copying ? {} : value;
    schemas.add(copy);
    const base = readNames(value, copy, outer);
    const place: Place = { holder: copy, depth, base };
    return copyMembers(value, copy, (inner, keyword) => readKeyword(keyword, inner, place));
  }

  /** Notes the schema's own address and anchors, and gives what its references are relative to. */
  function readNames(schema: JsonObject, copy: JsonObject, outer: string): string {
    const { $id } = schema;
    const named = typeof $id === "string";
    const base = named && !$id.startsWith("#") ? resolveId($id, outer) : outer;
    const resource = resources.get(base) ?? { root: copy, anchors: new Map() };
    resources.set(base, resource);
    // Draft 7 wrote an anchor as an `$id` that is only a fragment.
    for (const anchor of [schema.$anchor, schema.$dynamicAnchor, named && $id.startsWith("#") && $id.slice(1)])
      if (typeof anchor === "string") resource.anchors.set(anchor, copy);
    return base;
  }

  function readKeyword(keyword: string, value: unknown, place: Place): unknown {
    const shape = shapeOf(keyword);
    const below = place.depth + 1;
    const read = (inner: unknown): unknown => readSubschema(inner, below, place.base);
    switch (shape) {
      case "schema":
        if (keyword !== "items" || !Array.isArray(value)) return read(value);
        if (dialect === "2020-12")
          throw malformed('a schema (for a list use "prefixItems", or declare draft-07 in "$schema")', value);
        return readSchemas(value, read);
      case "schemas":
        if (!Array.isArray(value) || value.length === 0) throw malformed("a list of schemas that is not empty", value);
        return readSchemas(value, read);
      case "map":
        if (!isObject(value)) throw malformed("an object whose members are schemas", value);
        if (keyword === "patternProperties") patterns = true;
        return copyMembers(value, copying ? {} : value, (inner) =>
          keyword === "dependencies" && isNames(inner) ? readValue(inner, below) : read(inner),
        );
      default:
        if (shape !== undefined) checkKeyword(shape, keyword, value);
        if (shape === "reference") references.push({ ...place, ref: String(value) });
        if (shape === "pattern") patterns = true;
        if (keyword === PARAM_ANNOTATION) annotations.push({ keys: path.slice(0, -1), schema: place.holder });
        return readValue(value, below);
    }
  }

  function readSchemas(values: readonly unknown[], read: (inner: unknown) => unknown): readonly unknown[] {
    // Before anything is kept for them, since a list can be very long.
    limit(subschemas + values.length, MAX_SUBSCHEMAS, "subschemas");
    return copyItems(values, read);
  }

  function checkKeyword(shape: Shape, keyword: string, value: unknown): void {
    const [expected, holds] = RULES[shape] ?? [];
    if (holds?.(value) === false) throw malformed(expected ?? "", value);
    if (keyword === "multipleOf" && Number(value) <= 0) throw malformed("a number above 0", value);
    if (keyword === "$schema") selectDialect(value, where);
  }

  const json = readSubschema(source, 1, ROOT_BASE) as JsonObject; // an object comes back as an object
  resources.set(ROOT_BASE, resources.get(ROOT_BASE) ?? { root: json, anchors: new Map() });
  copying = false;
  for (const reference of references) {
    const target = findTarget(reference, resources, where);
    targets.set(reference.holder, [...(targets.get(reference.holder) ?? []), target]);
    // A place that no keyword led to, with references of its own.
    if (isObject(target) && !schemas.has(target)) readSubschema(target, reference.depth, reference.base);
  }
  return { json, dialect, schemas, targets, suspicious: patterns || references.length > 0, annotations };
}

/** Sets an own member, whatever its name: plain assignment to `__proto__` would set the prototype. */
function setMember(target: JsonObject, member: string, value: unknown): void {
  if (member === "__proto__")
    Object.defineProperty(target, member, { value, enumerable: true, writable: true, configurable: true });
  else target[member] = value;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has a prototype that is not ours but whose own prototype is null, too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}

function isTypes(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((type) => TYPES.includes(type)) : TYPES.includes(value);
}

function listValues(value: JsonObject): unknown[] {
  return Object.values(value).filter((member) => member !== undefined);
}

import { isObject, type JsonObject } from "@mortise/core";
import { setMember } from "../schema/copy-json.js";
import { type Dialect, selectDialect } from "../schema/dialect.js";
import { listSubschemas } from "../schema/keywords.js";

/** A schema as the engine reads it. */
export interface PreparedSchema {
  readonly schema: JsonObject;
  /** False when the schema speaks of members that every object inherits, such as `toString`. */
  readonly plainNames: boolean;
}

/** Members of every object that the engine mistakes for the value's own; it looks after `__proto__` and `constructor` itself. */
const INHERITED: ReadonlySet<string> = new Set(
  Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__" && name !== "constructor"),
);

/** What keeps its meaning beside a `$ref` of draft-07. */
const BESIDE_REF: ReadonlySet<string> = new Set(["$ref", "$schema", "$id", "definitions", "$defs"]);

/** Bridges what the engine does otherwise than the dialect says. Returns the same object when there is nothing to bridge. */
export function prepareSchema(json: JsonObject): PreparedSchema {
  const dialect = selectDialect(json["$schema"], "schema");
  return { schema: dialect.loneRef ? isolateRefs(json, dialect) : json, plainNames: !namesInherited(json) };
}

/** Copies a JSON value into objects that inherit nothing. */
export function dropPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropPrototypes);
  if (!isObject(value)) return value;
  const copy: JsonObject = Object.create(null);
  for (const [member, inner] of Object.entries(value)) copy[member] = dropPrototypes(inner);
  return copy;
}

function isolateRefs(schema: JsonObject, dialect: Dialect): JsonObject {
  const alone = typeof schema["$ref"] === "string";
  const copy: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!alone || BESIDE_REF.has(keyword)) setMember(copy, keyword, value);
  }
  for (const { keys, schema: inner } of listSubschemas(copy)) {
    const [keyword, member] = keys;
    if (!isObject(inner) || keyword === undefined) continue;
    const isolated = isolateRefs(inner, dialect);
    if (member === undefined) setMember(copy, keyword.toString(), isolated);
    else setMember(copy, keyword.toString(), replaceMember(copy[keyword], member, isolated));
  }
  return copy;
}

function replaceMember(container: unknown, member: string | number, value: unknown): unknown {
  if (Array.isArray(container)) return container.map((item: unknown, index) => (index === member ? value : item));
  const copy: JsonObject = {};
  for (const [name, item] of Object.entries(isObject(container) ? container : {}))
    setMember(copy, name, name === member ? value : item);
  return copy;
}

function namesInherited(schema: JsonObject): boolean {
  if (listNames(schema).some((name) => INHERITED.has(name))) return true;
  return listSubschemas(schema).some((inner) => isObject(inner.schema) && namesInherited(inner.schema));
}

function listNames(schema: JsonObject): string[] {
  const { properties, required, dependentRequired, dependentSchemas, dependencies } = schema;
  const maps = [properties, dependentRequired, dependentSchemas, dependencies].filter(isObject);
  const names = maps.flatMap((map) => [...Object.keys(map), ...Object.values(map).filter(Array.isArray).flat()]);
  return [...names, ...(Array.isArray(required) ? required : [])].map(String);
}

import type { JsonObject } from "@mortise/core";
import type { SchemaReading } from "@mortise/core/schema";

/** A schema as the engine reads it. */
export interface PreparedSchema {
  readonly schema: JsonObject;
  /** False when the schema speaks of members that every object inherits, such as `toString`. */
  readonly plainNames: boolean;
}

/** Members of every object that the engine mistakes for the value's own; it looks after `__proto__` and `constructor` itself. */
const INHERITED: ReadonlySet<unknown> = new Set(
  Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== "__proto__" && name !== "constructor"),
);

/** What keeps its meaning beside a `$ref` of draft-07. */
const BESIDE_REF: ReadonlySet<string> = new Set(["$ref", "$schema", "$id", "definitions", "$defs"]);

/** Bridges what the engine does otherwise than the dialect says. Returns the same object when there is nothing to bridge. */
export function prepareSchema({ json, dialect, schemas }: SchemaReading): PreparedSchema {
  const schema = dialect === "draft-07" ? (isolateRefs(json, schemas) as JsonObject) : json; // an object comes back as an object
  return { schema, plainNames: ![...schemas].some(namesInherited) };
}

/** Copies a JSON value into objects that inherit nothing. */
export function dropPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropPrototypes);
  if (typeof value !== "object" || value === null) return value;
  const copy: JsonObject = Object.create(null);
  for (const [member, inner] of Object.entries(value)) copy[member] = dropPrototypes(inner);
  return copy;
}

function isolateRefs(value: unknown, schemas: ReadonlySet<unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => isolateRefs(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const alone = "$ref" in value && schemas.has(value);
  const kept = Object.entries(value).filter(([keyword]) => !alone || BESIDE_REF.has(keyword));
  return Object.fromEntries(kept.map(([member, inner]) => [member, isolateRefs(inner, schemas)]));
}

function namesInherited({ required, ...schema }: JsonObject): boolean {
  const maps = [schema.properties, schema.dependentRequired, schema.dependentSchemas, schema.dependencies];
  return [required, ...maps.map((map) => Object.entries(map ?? {}))].flat(3).some((name) => INHERITED.has(name));
}

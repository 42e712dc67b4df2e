import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import type { SchemaReading } from "@mortise/core/schema";

/** Schemas that are looked at before the rest is taken to accept objects. */
const MOST_SCHEMAS = 1_000;

/**
 * Gives the root of an input schema `type: "object"`, as every revision wants, and keeps all other keywords: a union at the
 * root stays a union. Throws `schema_invalid` when no object can ever satisfy the schema.
 */
export function toObjectRoot({ json, targets }: SchemaReading, where: string): JsonObject {
  if (!acceptsObject(json, targets, new Map())) {
    throw new MortiseError(
      "schema_invalid",
      `Expected the ${where} to describe an object at its root, because arguments are always an object`,
    );
  }
  if (json["type"] === "object") return json;
  const { type: _type, ...rest } = json;
  return Object.freeze({ type: "object", ...rest });
}

type Targets = SchemaReading["targets"];

/** False only when the keywords read here rule out every object. Verdicts are kept, since references can multiply and go in circles. */
function acceptsObject(schema: unknown, targets: Targets, verdicts: Map<unknown, boolean>): boolean {
  if (!isObject(schema) || verdicts.size > MOST_SCHEMAS) return schema !== false;
  const known = verdicts.get(schema);
  if (known !== undefined) return known;
  verdicts.set(schema, true);
  const next = (member: unknown): boolean => acceptsObject(member, targets, verdicts);
  const { type = "object", not, allOf, anyOf, oneOf } = schema;
  const verdict =
    [type].flat().includes("object") &&
    (!("const" in schema) || isObject(schema["const"])) &&
    (!Array.isArray(schema["enum"]) || schema["enum"].some(isObject)) &&
    (!isObject(not) || Object.keys(not).length > 0) &&
    (!Array.isArray(allOf) || allOf.every(next)) &&
    (!Array.isArray(anyOf) || anyOf.some(next)) &&
    (!Array.isArray(oneOf) || oneOf.some(next)) &&
    (targets.get(schema) ?? []).every(next);
  verdicts.set(schema, verdict);
  return verdict;
}

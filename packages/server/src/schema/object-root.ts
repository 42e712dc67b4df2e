import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { resolveRef } from "./resolve-ref.js";

const MAX_HOPS = 64;

/**
 * Gives the root of an input schema `type: "object"`, as every revision wants, and keeps all other keywords: a union at the
 * root stays a union. Throws `schema_invalid` when no object can ever satisfy the schema.
 */
export function toObjectRoot(schema: JsonObject, where: string): JsonObject {
  if (!acceptsObject(schema, schema, 0)) {
    throw new MortiseError(
      "schema_invalid",
      `Expected the ${where} to describe an object at its root, because arguments are always an object`,
    );
  }
  if (schema["type"] === "object") return schema;
  const { type: _type, ...rest } = schema;
  return { type: "object", ...rest };
}

/** False only when the keywords read here rule out every object. */
function acceptsObject(schema: unknown, root: JsonObject, hops: number): boolean {
  if (typeof schema === "boolean") return schema;
  if (!isObject(schema) || hops > MAX_HOPS) return true;
  const next = (member: unknown): boolean => acceptsObject(member, root, hops + 1);
  if (!typeAllowsObject(schema["type"])) return false;
  if ("const" in schema && !isObject(schema["const"])) return false;
  if (Array.isArray(schema["enum"]) && !schema["enum"].some(isObject)) return false;
  if (isObject(schema["not"]) && Object.keys(schema["not"]).length === 0) return false;
  if (Array.isArray(schema["allOf"]) && !schema["allOf"].every(next)) return false;
  if (Array.isArray(schema["anyOf"]) && !schema["anyOf"].some(next)) return false;
  if (Array.isArray(schema["oneOf"]) && !schema["oneOf"].some(next)) return false;
  return typeof schema["$ref"] !== "string" || next(resolveRef(root, schema["$ref"]));
}

function typeAllowsObject(type: unknown): boolean {
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

import { isObject, type JsonObject } from "@mortise/core";

/** Keywords whose value is data, in which nothing is a reference. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["const", "enum", "default", "examples", "example"]);
/** Keywords whose value maps names that a user chose to schemas. */
const MAP_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
]);
const HOME = "#/properties/result";

/**
 * Describes `{ result: value }` where `schema` describes the value: how output that is not an object is listed on
 * revisions that only know objects. References inside keep their targets.
 */
export function wrapOutputSchema(schema: JsonObject): JsonObject {
  const { $schema, ...rest } = schema;
  const inner = moveReferences(rest);
  const dialect = $schema === undefined ? {} : { $schema };
  return { ...dialect, type: "object", properties: { result: inner }, required: ["result"] };
}

/** A schema that names itself is the base of its own references, wherever it stands; those stay as they are. */
function moveReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(moveReferences);
  if (!isObject(schema) || typeof schema.$id === "string") return schema;
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, moveKeyword(keyword, value)]));
}

function moveKeyword(keyword: string, value: unknown): unknown {
  if (DATA_KEYWORDS.has(keyword)) return value;
  if (MAP_KEYWORDS.has(keyword) && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, moveReferences(schema)]));
  }
  if (keyword !== "$ref" || typeof value !== "string") return moveReferences(value);
  if (value === "#") return HOME;
  return value.startsWith("#/") ? `${HOME}${value.slice(1)}` : value;
}

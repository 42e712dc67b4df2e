import { isObject, type JsonObject } from "@mortise/core";
import { shapeOf } from "@mortise/core/schema";

/** Annotations whose value is data, in which nothing is a reference. What else is unknown may be referred to, and then is a schema. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(["default", "examples", "example"]);
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
  const shape = shapeOf(keyword);
  if (shape === "any" || shape === "array" || DATA_KEYWORDS.has(keyword)) return value;
  if ((shape === "map" || shape === "names map") && isObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, moveReferences(schema)]));
  }
  if (shape !== "reference" || typeof value !== "string") return moveReferences(value);
  if (value === "#") return HOME;
  return value.startsWith("#/") ? `${HOME}${value.slice(1)}` : value;
}

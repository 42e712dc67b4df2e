import { isObject, type JsonObject } from "@mortise/core";

/** What a keyword's value has to look like. */
export type Shape =
  | "schema"
  | "schemas"
  | "schema map"
  | "schema or names map"
  | "names"
  | "names map"
  | "types"
  | "count"
  | "number"
  | "positive number"
  | "boolean"
  | "string"
  | "pattern"
  | "array"
  | "any";

/** One schema inside another, and the keys that lead to it. */
export interface Subschema {
  readonly keys: readonly (string | number)[];
  readonly schema: unknown;
}

/** The keywords that are read, and their shapes. Whatever is not listed is an annotation and passes unread. */
export const KEYWORDS: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["$schema", "string"],
  ["$id", "string"],
  ["$ref", "string"],
  ["$anchor", "string"],
  ["$dynamicRef", "string"],
  ["$dynamicAnchor", "string"],
  ["$recursiveRef", "string"],
  ["$recursiveAnchor", "boolean"],
  ["$defs", "schema map"],
  ["definitions", "schema map"],
  ["type", "types"],
  ["enum", "array"],
  ["const", "any"],
  ["multipleOf", "positive number"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "pattern"],
  ["format", "string"],
  ["items", "schema"],
  ["prefixItems", "schemas"],
  ["additionalItems", "schema"],
  ["unevaluatedItems", "schema"],
  ["contains", "schema"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "boolean"],
  ["properties", "schema map"],
  ["patternProperties", "schema map"],
  ["additionalProperties", "schema"],
  ["unevaluatedProperties", "schema"],
  ["propertyNames", "schema"],
  ["required", "names"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["dependentRequired", "names map"],
  ["dependentSchemas", "schema map"],
  ["dependencies", "schema or names map"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
]);

/** The schemas directly inside a schema: what stands in `const`, `enum` or an annotation is data, not a schema. */
export function listSubschemas(schema: JsonObject): Subschema[] {
  const found: Subschema[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = KEYWORDS.get(keyword);
    // Before 2020-12, `items` may be a list of schemas.
    if (shape === "schemas" || (keyword === "items" && Array.isArray(value))) {
      if (Array.isArray(value))
        for (const [index, item] of value.entries()) found.push({ keys: [keyword, index], schema: item });
    } else if (shape === "schema") {
      found.push({ keys: [keyword], schema: value });
    } else if ((shape === "schema map" || shape === "schema or names map") && isObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!Array.isArray(member)) found.push({ keys: [keyword, name], schema: member });
      }
    }
  }
  return found;
}

/** Keywords of JSON Schema that hold a schema, or a list of schemas. */
// biome-ignore format: a table
export const SCHEMA_KEYWORDS = [
  "additionalItems", "additionalProperties", "allOf", "anyOf", "contains", "contentSchema", "else", "if", "items", "not",
  "oneOf", "prefixItems", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties",
] as const;

/** Keywords of JSON Schema that hold schemas by name. */
// biome-ignore format: a table
export const MAP_KEYWORDS = [
  "properties", "patternProperties", "dependentSchemas", "dependencies", "$defs", "definitions",
] as const;

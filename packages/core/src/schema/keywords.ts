/** What a keyword's value has to look like. */
export type Shape =
  | "schema"
  | "schemas"
  | "map"
  | "names"
  | "names map"
  | "types"
  | "count"
  | "number"
  | "boolean"
  | "string"
  | "reference"
  | "pattern"
  | "array"
  | "any";

/** The keywords that are read, by their shapes. Whatever is not listed is an annotation and passes unread. */
const KEYWORDS: Readonly<Record<Shape, string>> = {
  schema:
    "items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else contentSchema",
  schemas: "allOf anyOf oneOf prefixItems",
  map: "properties patternProperties $defs definitions dependentSchemas dependencies",
  names: "required",
  "names map": "dependentRequired",
  types: "type",
  count: "minLength maxLength minItems maxItems minContains maxContains minProperties maxProperties",
  number: "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
  boolean: "uniqueItems $recursiveAnchor",
  string: "$schema $id $anchor $dynamicAnchor format",
  reference: "$ref $dynamicRef $recursiveRef",
  pattern: "pattern",
  array: "enum",
  any: "const",
};

const SHAPES: ReadonlyMap<string, Shape> = new Map(
  Object.entries(KEYWORDS).flatMap(
    ([shape, keywords]) => keywords.split(" ").map((keyword) => [keyword, shape as Shape] as const), // a key of the table
  ),
);

/** The shape of a keyword; `undefined` for annotations. */
export function shapeOf(keyword: string): Shape | undefined {
  return SHAPES.get(keyword);
}

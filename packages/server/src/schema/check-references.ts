import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { listSubschemas } from "./keywords.js";
import { resolveRef } from "./resolve-ref.js";

/** How many schemas one place in a value may have to be checked against. */
const MAX_CHECKS = 10_000;
/** How many references may follow one another at one place. */
const MAX_CHAIN = 1_000;

/** Keywords whose schemas apply to the very value that the schema itself applies to. */
const LISTS_IN_PLACE = ["allOf", "anyOf", "oneOf"] as const;
const SINGLES_IN_PLACE = ["not", "if", "then", "else"] as const;
const MAPS_IN_PLACE = ["dependentSchemas", "dependencies"] as const;

/**
 * Refuses references that would keep a validator busy for ever or nearly so: a schema that refers to itself without going
 * deeper into the value (`schema_ref`), and references that multiply (`schema_too_large`). `where` names the schema.
 */
export function checkReferences(root: JsonObject, where: string): void {
  const schemas = listSchemas(root);
  // Below an embedded `$id`, "#" means that part and not the document; such documents are rare, and their references go unmeasured.
  const follows = schemas.every(
    (schema) => schema === root || typeof schema["$id"] !== "string" || schema["$id"].startsWith("#"),
  );
  const costs = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();

  const measure = (schema: unknown): number => {
    if (!isObject(schema)) return 1;
    const known = costs.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema))
      throw new MortiseError("schema_ref", `A "$ref" of the ${where} leads back to itself without going deeper`);
    open.add(schema);
    let cost = 1;
    for (const inner of listInPlace(schema, follows ? root : undefined)) cost += measure(inner);
    if (cost > MAX_CHECKS || open.size > MAX_CHAIN) {
      throw new MortiseError(
        "schema_too_large",
        `The references of the ${where} multiply beyond ${MAX_CHECKS} schemas for one value`,
      );
    }
    open.delete(schema);
    costs.set(schema, cost);
    return cost;
  };

  for (const schema of schemas) measure(schema);
}

function listInPlace(schema: JsonObject, root: JsonObject | undefined): unknown[] {
  const inner: unknown[] = [];
  for (const keyword of LISTS_IN_PLACE) if (Array.isArray(schema[keyword])) inner.push(...schema[keyword]);
  for (const keyword of SINGLES_IN_PLACE) if (keyword in schema) inner.push(schema[keyword]);
  for (const keyword of MAPS_IN_PLACE) {
    if (isObject(schema[keyword])) inner.push(...Object.values(schema[keyword]).filter(isObject));
  }
  if (root !== undefined && typeof schema["$ref"] === "string") inner.push(resolveRef(root, schema["$ref"]));
  return inner;
}

function listSchemas(schema: JsonObject): JsonObject[] {
  const inner = listSubschemas(schema).flatMap((each) => (isObject(each.schema) ? listSchemas(each.schema) : []));
  return [schema, ...inner];
}

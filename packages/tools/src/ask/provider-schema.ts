import { isObject, type JsonObject } from "@mortise/core";

/** Objects and lists that are nested deeper are refused by some providers. */
const MOST_LEVELS = 10;

/** Constraints that not every provider takes; they are said in the description. */
const IN_WORDS = [
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minItems",
  "maxItems",
  "uniqueItems",
] as const;

const TYPES: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "null"]);

/** The schema says something that cannot be said to every provider. */
const UNSPEAKABLE = Symbol("unspeakable");

/**
 * Puts a schema into the part of JSON Schema that every provider takes for structured answers: objects with all their members listed
 * and demanded, lists of one kind, `anyOf`, choices of words. What may be absent may be `null` instead. Gives `undefined` for what
 * cannot be said there, such as objects with members of any name: then words have to do.
 */
export function toProviderSchema(schema: JsonObject): JsonObject | undefined {
  try {
    const converted = convert(schema, 0);
    return converted.type === "object" ? converted : undefined;
  } catch (error) {
    if (error === UNSPEAKABLE) return undefined;
    throw error;
  }
}

function convert(schema: unknown, level: number): JsonObject {
  if (!isObject(schema) || level > MOST_LEVELS || schema.$ref !== undefined || schema.$dynamicRef !== undefined)
    throw UNSPEAKABLE;
  const branches = listBranches(schema);
  if (branches !== undefined) return describe({ anyOf: branches.map((each) => convert(each, level)) }, schema);
  if ("const" in schema) return convertChoice(schema, [schema.const]);
  if (Array.isArray(schema.enum)) return convertChoice(schema, schema.enum);
  if (schema.type === "object") return convertObject(schema, level);
  if (schema.type === "array") return convertArray(schema, level);
  if (!TYPES.has(schema.type)) throw UNSPEAKABLE;
  return describe({ type: schema.type }, schema);
}

/** The schemas of which one has to fit, where there are several. What stands beside them holds for each. */
function listBranches({
  type,
  anyOf,
  oneOf,
  allOf,
  not,
  if: condition,
  ...rest
}: JsonObject): JsonObject[] | undefined {
  if (allOf !== undefined || not !== undefined || condition !== undefined) throw UNSPEAKABLE;
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    if (branches.length === 0 || rest.properties !== undefined || rest.items !== undefined) throw UNSPEAKABLE;
    return branches.map((each) => {
      if (!isObject(each)) throw UNSPEAKABLE;
      return type === undefined ? each : { type, ...each };
    });
  }
  if (!Array.isArray(type)) return undefined;
  if (type.length === 0) throw UNSPEAKABLE;
  const { description: _told, ...shape } = rest;
  return type.map((each) => (each === "null" ? { type: "null" } : { ...shape, type: each }));
}

/** Words are listed; numbers, and words without letters, are not taken by every provider. */
function convertChoice(schema: JsonObject, values: readonly unknown[]): JsonObject {
  if (values.length > 0 && values.every((value) => typeof value === "string" && value !== ""))
    return describe({ type: "string", enum: [...values] }, schema);
  const [type, ...others] = new Set(values.map(typeOf));
  if (type === undefined || others.length > 0) throw UNSPEAKABLE;
  return describe({ type }, schema, [`one of: ${values.map((value) => JSON.stringify(value)).join(", ")}`]);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string" || typeof value === "boolean") return typeof value;
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  throw UNSPEAKABLE;
}

function convertObject(schema: JsonObject, level: number): JsonObject {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const open = (additionalProperties ?? false) !== false || patternProperties !== undefined;
  if (!isObject(properties) || names.length === 0 || open) throw UNSPEAKABLE;
  const demanded = Array.isArray(required) ? required : [];
  const members = names.map((name) => {
    const member = convert(properties[name], level + 1);
    return [name, demanded.includes(name) ? member : orNull(member)] as const;
  });
  // Defined one by one, so that a member named "__proto__" stays one.
  return describe(
    { type: "object", properties: Object.fromEntries(members), required: names, additionalProperties: false },
    schema,
  );
}

function orNull(schema: JsonObject): JsonObject {
  if (schema.type === "null") return schema;
  if (!Array.isArray(schema.anyOf)) return { anyOf: [schema, { type: "null" }] };
  const known = schema.anyOf.some((each) => isObject(each) && each.type === "null");
  return known ? schema : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
}

/** A list whose places differ is one whose items are any of them. */
function convertArray(schema: JsonObject, level: number): JsonObject {
  const { prefixItems } = schema;
  if (!Array.isArray(prefixItems) || prefixItems.length === 0)
    return describe({ type: "array", items: convert(schema.items, level + 1) }, schema);
  const kinds = new Map(
    [...prefixItems, ...(isObject(schema.items) ? [schema.items] : [])]
      .map((each) => convert(each, level + 1))
      .map((each) => [JSON.stringify(each), each]),
  );
  const [first, ...others] = kinds.values();
  return describe({ type: "array", items: others.length === 0 ? first : { anyOf: [...kinds.values()] } }, schema);
}

/** Adds the description, with what cannot be said otherwise. */
function describe(converted: JsonObject, schema: JsonObject, more: readonly string[] = []): JsonObject {
  const constraints = IN_WORDS.flatMap((name) =>
    schema[name] === undefined ? [] : [`${name}: ${JSON.stringify(schema[name])}`],
  );
  const words = [...more, ...constraints].join(", ");
  const told = typeof schema.description === "string" ? schema.description : "";
  const description = words === "" ? told : `${told} (${words})`.trim();
  return description === "" ? converted : { ...converted, description };
}

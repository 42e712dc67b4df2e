import { isObject, type JsonObject } from "@mortise/core";

/**
 * Leaves out members that are `null` where the schema lets them be absent but not `null`: models, and providers that demand every
 * member, say "nothing" in this way. Gives a copy.
 */
export function dropNulls(value: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return value;
  if (Array.isArray(value)) return value.map((each) => dropNulls(each, schema.items));
  if (!isObject(value)) return value;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const described = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const dropped = member === null && isObject(described) && !required.includes(name) && !takesNull(described);
    return dropped ? [] : [[name, dropNulls(member, described)]];
  });
  return Object.fromEntries(kept);
}

function takesNull({ type, enum: values, const: only, anyOf, oneOf }: JsonObject): boolean {
  if (only !== undefined) return only === null;
  if (Array.isArray(values)) return values.includes(null);
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.some((branch) => isObject(branch) && takesNull(branch));
  return type === undefined || type === "null" || (Array.isArray(type) && type.includes("null"));
}

import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { type Dialect, selectDialect } from "./dialect.js";
import { formatPath } from "./issue-path.js";
import { KEYWORDS, listSubschemas, type Shape } from "./keywords.js";

const TYPES: ReadonlySet<unknown> = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);

interface Rule {
  readonly expected: string;
  readonly holds: (value: unknown) => boolean;
}

const RULES: Readonly<Record<Shape, Rule>> = {
  schema: { expected: "a schema (an object or a boolean)", holds: isSchema },
  schemas: {
    expected: "a list of schemas that is not empty",
    holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
  },
  "schema map": { expected: "an object whose members are schemas", holds: (value) => isMapOf(value, isSchema) },
  "schema or names map": {
    expected: "an object whose members are schemas or lists of names",
    holds: (value) => isMapOf(value, (member) => isSchema(member) || isNames(member)),
  },
  names: { expected: "a list of names", holds: isNames },
  "names map": { expected: "an object whose members are lists of names", holds: (value) => isMapOf(value, isNames) },
  types: { expected: `one or several of ${[...TYPES].join(", ")}`, holds: isTypes },
  count: {
    expected: "a whole number that is not negative",
    holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  },
  number: { expected: "a number", holds: (value) => Number.isFinite(value) },
  "positive number": { expected: "a number above 0", holds: (value) => Number.isFinite(value) && Number(value) > 0 },
  boolean: { expected: "a boolean", holds: (value) => typeof value === "boolean" },
  string: { expected: "a string", holds: (value) => typeof value === "string" },
  pattern: { expected: "a regular expression", holds: isPattern },
  array: { expected: "an array", holds: Array.isArray },
  any: { expected: "any value", holds: () => true },
};

/**
 * Checks that the keywords of a schema are well formed, throughout. Throws `schema_invalid` naming the first that is not, or
 * `schema_dialect`. The depth must have been bounded before; `where` names the schema.
 */
export function checkKeywords(schema: JsonObject, where: string): void {
  const dialect = selectDialect(schema["$schema"], where);
  visit(schema, [], { dialect, where });
}

interface Visit {
  readonly dialect: Dialect;
  readonly where: string;
}

interface Place extends Visit {
  readonly keys: readonly (string | number)[];
}

function visit(schema: JsonObject, keys: Place["keys"], about: Visit): void {
  for (const [keyword, value] of Object.entries(schema)) checkKeyword(keyword, value, { ...about, keys });
  for (const inner of listSubschemas(schema)) {
    if (isObject(inner.schema)) visit(inner.schema, [...keys, ...inner.keys], about);
  }
}

function checkKeyword(keyword: string, value: unknown, about: Place): void {
  const shape = KEYWORDS.get(keyword);
  if (shape === undefined || value === undefined) return;
  if (keyword === "$schema") selectDialect(value, about.where);
  const rule = keyword === "items" && Array.isArray(value) ? selectListRule(about.dialect) : RULES[shape];
  if (!rule.holds(value))
    throw malformed([...about.keys, keyword], `${rule.expected}, received ${describe(value)}`, about);
  if (keyword !== "patternProperties" || !isObject(value)) return;
  const wrong = Object.keys(value).find((pattern) => !isPattern(pattern));
  if (wrong !== undefined) throw malformed([...about.keys, keyword, wrong], "named by a regular expression", about);
}

function selectListRule(dialect: Dialect): Rule {
  if (dialect.listItems)
    return { expected: "a schema or a list of schemas", holds: (value) => isListOf(value, isSchema) };
  return { expected: 'a schema (for a list use "prefixItems", or declare draft-07 in "$schema")', holds: isSchema };
}

function malformed(keys: Place["keys"], expected: string, { where }: Visit): MortiseError {
  return new MortiseError("schema_invalid", `Expected "${formatPath(keys)}" of the ${where} to be ${expected}`);
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : describeType(value);
}

function isListOf(value: unknown, holds: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function isSchema(value: unknown): boolean {
  return typeof value === "boolean" || isObject(value);
}

function isNames(value: unknown): boolean {
  return isListOf(value, (name) => typeof name === "string");
}

function isTypes(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every((type) => TYPES.has(type)) : TYPES.has(value);
}

function isMapOf(value: unknown, holds: (member: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every((member) => member === undefined || holds(member));
}

function isPattern(value: unknown): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

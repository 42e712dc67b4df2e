import { isObject, type JsonObject, MortiseError, type Revision } from "@mortise/core";

/** Keywords that a field of each type may have, beside `type`. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema */
const KEYWORDS: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["string", ["title", "description", "minLength", "maxLength", "format", "default"]],
  ["number", ["title", "description", "minimum", "maximum", "default"]],
  ["integer", ["title", "description", "minimum", "maximum", "default"]],
  ["boolean", ["title", "description", "default"]],
  ["array", ["title", "description", "minItems", "maxItems", "default"]],
]);
const CHOICE_KEYWORDS = ["title", "description", "default"];
const FORMATS: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);
/** How many references lead from one to the next at most. */
const MOST_STEPS = 8;

/**
 * The fields of a form as the newest revision has them, made from the JSON Schema of an object: flat, without references. What
 * only narrows a field is left out, since the whole schema checks the answer. Throws `schema_unsupported` for a field that no
 * form can have.
 */
export function toRequestedSchema(json: JsonObject): JsonObject {
  const { properties = {}, required, $ref, allOf, anyOf, oneOf } = json;
  if (!isObject(properties) || [$ref, allOf, anyOf, oneOf].some((keyword) => keyword !== undefined))
    throw new MortiseError("schema_unsupported", "Expected the schema of a form to be an object with plain properties");
  const fields = Object.entries(properties).map(([name, field]) => [name, toField(name, field, json)] as const);
  const names = Array.isArray(required) ? required.filter((name) => Object.hasOwn(properties, name)) : [];
  return {
    type: "object",
    properties: Object.fromEntries(fields),
    ...(names.length === 0 ? {} : { required: names }),
  };
}

/**
 * The fields as a revision knows them: titled choices become names beside values, and defaults go where only booleans have
 * them. `undefined` for a form with a field that the revision has nothing like.
 */
export function projectForm(requested: JsonObject, revision: Revision): JsonObject | undefined {
  if (revision.richForms) return requested;
  const properties = Object.entries(requested.properties as JsonObject); // made above
  if (properties.some(([, field]) => isObject(field) && field.type === "array")) return undefined;
  return { ...requested, properties: Object.fromEntries(properties.map(([name, field]) => [name, toOldField(field)])) };
}

function toOldField(field: unknown): unknown {
  if (!isObject(field) || field.type === "boolean") return field;
  const { default: _, oneOf, ...rest } = field;
  const options = readOptions(oneOf);
  if (options === undefined) return rest;
  return { ...rest, enum: options.map(({ value }) => value), enumNames: options.map(({ title }) => title) };
}

function toField(name: string, source: unknown, root: JsonObject): JsonObject {
  const field = resolve(source, root);
  const choices = readChoices(field);
  if (choices !== undefined) return { type: "string", ...pick(field, CHOICE_KEYWORDS), ...choices };
  const keywords = KEYWORDS.get(field.type) ?? refuse(name);
  const kept = { type: field.type, ...pick(field, keywords) };
  return field.type === "array" ? { ...kept, items: toItems(name, resolve(field.items, root)) } : kept;
}

/** What may be chosen several times: spelled with `anyOf` where the choices have titles. */
function toItems(name: string, items: JsonObject): JsonObject {
  const { enum: values, oneOf } = readChoices(items) ?? refuse(name);
  return oneOf === undefined ? { type: "string", enum: values } : { anyOf: oneOf };
}

function refuse(name: string): never {
  const expected = "a string, a number, a boolean, or a choice of strings";
  throw new MortiseError("schema_unsupported", `Expected the field "${name}" of a form to be ${expected}`);
}

/** The keywords that are known and hold what they should. */
function pick(field: JsonObject, keywords: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const keyword of keywords)
    if (field[keyword] !== undefined && isFit(keyword, field)) picked[keyword] = field[keyword];
  return picked;
}

function isFit(keyword: string, field: JsonObject): boolean {
  const value = field[keyword];
  if (keyword === "format") return FORMATS.has(value);
  if (keyword === "title" || keyword === "description") return typeof value === "string";
  if (keyword !== "default") return typeof value === "number";
  if (field.type === "array") return Array.isArray(value) && value.every((item) => typeof item === "string");
  return typeof value === (field.type === "integer" ? "number" : (field.type ?? "string"));
}

/** A choice of strings in any of the ways to write one: `enum`, `const`, or a union of constants that may have titles. */
function readChoices(field: JsonObject): JsonObject | undefined {
  if (isStrings(field.enum)) {
    const { enumNames } = field;
    const named = isStrings(enumNames) && enumNames.length === field.enum.length;
    return { enum: field.enum, ...(named ? { enumNames } : {}) };
  }
  if (typeof field.const === "string") return { enum: [field.const] };
  const options = readOptions(field.oneOf ?? field.anyOf);
  if (options === undefined) return undefined;
  if (options.every(({ title }) => title === undefined)) return { enum: options.map(({ value }) => value) };
  return { oneOf: options.map(({ value, title = value }) => ({ const: value, title })) };
}

interface Option {
  readonly value: string;
  readonly title: string | undefined;
}

function readOptions(union: unknown): readonly Option[] | undefined {
  if (!Array.isArray(union) || union.length === 0) return undefined;
  const options: Option[] = [];
  for (const option of union) {
    if (!isObject(option) || typeof option.const !== "string") return undefined;
    options.push({ value: option.const, title: typeof option.title === "string" ? option.title : undefined });
  }
  return options;
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}

/** Follows references within the schema, and takes `null` out of a union: a form leaves such a field empty. */
function resolve(source: unknown, root: JsonObject): JsonObject {
  let field = isObject(source) ? source : {};
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { $ref, anyOf, oneOf = anyOf, ...rest } = field;
    if (typeof $ref === "string") {
      field = { ...find($ref, root), ...rest };
      continue;
    }
    if (!Array.isArray(oneOf)) break;
    const others = oneOf.filter((each) => !isObject(each) || each.type !== "null");
    const [only] = others;
    if (others.length === 1 && isObject(only) && only.const === undefined) field = { ...only, ...rest };
    else if (others.length < oneOf.length) field = { ...rest, oneOf: others };
    else break;
  }
  const types = Array.isArray(field.type) ? field.type.filter((type) => type !== "null") : [field.type];
  return types.length === 1 ? { ...field, type: types[0] } : field;
}

/** What a reference such as `#/$defs/color` leads to. */
function find(reference: string, root: JsonObject): JsonObject {
  let place: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const name = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    place = isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined;
  }
  return reference.startsWith("#/") && isObject(place) ? place : {};
}

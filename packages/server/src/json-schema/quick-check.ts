import type { JsonObject } from "@mortise/core";

/** Tells whether a value satisfies what was asked. */
export type Accepts = (value: unknown) => boolean;

/**
 * Builds a check for a well-formed schema that uses only simple keywords; `undefined` for any other. A `true` of it is final.
 * After a `false` the validator has the word, which also knows how to explain: so most servers never load it. Loaded with the
 * first value that has to be checked.
 */
export function createQuickCheck(schema: unknown): Accepts | undefined {
  if (typeof schema === "boolean") return () => schema;
  if (!isObject(schema)) return undefined;
  const checks: Accepts[] = [];
  for (const keyword of Object.keys(schema)) {
    if (SILENT.has(keyword) || keyword.startsWith("x-")) continue;
    const check = BUILDERS.get(keyword)?.(schema[keyword], schema);
    if (check === undefined) return undefined;
    checks.push(check);
  }
  return all(checks);
}

type Builder = (operand: unknown, schema: JsonObject) => Accepts | undefined;

/** Annotations, and keywords that say nothing where there is no reference: a schema with one is not simple. */
const SILENT: ReadonlySet<string> = new Set(
  "$schema $id $anchor $dynamicAnchor $defs definitions $comment title description default examples deprecated readOnly writeOnly".split(
    " ",
  ),
);

const BUILDERS: ReadonlyMap<string, Builder> = new Map<string, Builder>([
  ["type", (types) => any((Array.isArray(types) ? types : [types]).map((type) => TYPES.get(type)))],
  ["enum", (values) => (isScalars(values) ? (value) => values.includes(value) : undefined)],
  ["const", (constant) => (isScalars([constant]) ? (value) => value === constant : undefined)],
  ["properties", buildProperties],
  ["required", buildRequired],
  ["additionalProperties", buildAdditional],
  ["items", buildItems],
  ["minItems", (least) => (value) => !Array.isArray(value) || value.length >= Number(least)],
  ["maxItems", (most) => (value) => !Array.isArray(value) || value.length <= Number(most)],
  // A code point is one or two units: these lengths are surely right, and the rest is left to the validator.
  ["minLength", (least) => (value) => typeof value !== "string" || value.length >= 2 * Number(least)],
  ["maxLength", (most) => (value) => typeof value !== "string" || value.length <= Number(most)],
  ["minimum", (least) => (value) => typeof value !== "number" || value >= Number(least)],
  ["maximum", (most) => (value) => typeof value !== "number" || value <= Number(most)],
  ["exclusiveMinimum", (below) => (value) => typeof value !== "number" || value > Number(below)],
  ["exclusiveMaximum", (above) => (value) => typeof value !== "number" || value < Number(above)],
  ["allOf", (schemas) => (Array.isArray(schemas) ? every(schemas.map(createQuickCheck)) : undefined)],
  ["anyOf", (schemas) => (Array.isArray(schemas) ? any(schemas.map(createQuickCheck)) : undefined)],
]);

const TYPES: ReadonlyMap<unknown, Accepts> = new Map<unknown, Accepts>([
  ["object", isObject],
  ["array", Array.isArray],
  ["string", (value) => typeof value === "string"],
  ["number", Number.isFinite],
  ["integer", Number.isInteger],
  ["boolean", (value) => typeof value === "boolean"],
  ["null", (value) => value === null],
]);

function buildProperties(properties: unknown): Accepts | undefined {
  const checks: [string, Accepts][] = [];
  for (const [name, schema] of Object.entries(isObject(properties) ? properties : {})) {
    const check = createQuickCheck(schema);
    if (check === undefined) return undefined;
    checks.push([name, check]);
  }
  return (value) => {
    if (!isObject(value)) return true;
    for (const [name, check] of checks) {
      // A result that is being sent may hold `undefined`, which JSON leaves out.
      if (Object.hasOwn(value, name) && value[name] !== undefined && !check(value[name])) return false;
    }
    return true;
  };
}

function buildRequired(required: unknown): Accepts {
  const names: unknown[] = Array.isArray(required) ? required : [];
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of names) {
      if (typeof name !== "string" || !Object.hasOwn(value, name) || value[name] === undefined) return false;
    }
    return true;
  };
}

function buildAdditional(additional: unknown, { properties }: JsonObject): Accepts | undefined {
  const known = new Set(Object.keys(isObject(properties) ? properties : {}));
  const check = createQuickCheck(additional);
  if (check === undefined) return undefined;
  return (value) => {
    if (!isObject(value)) return true;
    for (const name of Object.keys(value)) if (!known.has(name) && !check(value[name])) return false;
    return true;
  };
}

function buildItems(items: unknown): Accepts | undefined {
  const check = createQuickCheck(items);
  if (check === undefined) return undefined;
  return (value) => !Array.isArray(value) || value.every(check);
}

function isScalars(values: unknown): values is unknown[] {
  return Array.isArray(values) && values.every((value) => typeof value !== "object" || value === null);
}

function every(checks: readonly (Accepts | undefined)[]): Accepts | undefined {
  const known = checks.filter((check) => check !== undefined);
  return known.length === checks.length ? all(known) : undefined;
}

function all(checks: readonly Accepts[]): Accepts {
  const [only] = checks;
  if (only !== undefined && checks.length === 1) return only;
  return (value) => {
    for (const check of checks) if (!check(value)) return false;
    return true;
  };
}

function any(checks: readonly (Accepts | undefined)[]): Accepts | undefined {
  const known = checks.filter((check) => check !== undefined);
  const [only] = known;
  if (known.length !== checks.length) return undefined;
  return known.length === 1 ? only : (value) => known.some((check) => check(value));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

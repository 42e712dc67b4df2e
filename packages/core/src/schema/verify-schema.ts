import type { ErrorCode, JsonObject } from "@mortise/core";
import { createPatternChecker } from "../pattern-safety.js";
import type { SchemaReading } from "./read-schema.js";

/** Why a schema must not be used. */
export interface SchemaProblem {
  readonly code: ErrorCode;
  readonly message: string;
}

/** How many schemas one place in a value may have to be checked against. */
const MAX_CHECKS = 10_000;
/** How many references may follow one another at one place. */
const MAX_CHAIN = 1_000;

/** Keywords whose schemas apply to the very value that the schema itself applies to. */
const IN_PLACE = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/**
 * Takes the closer look at a suspicious schema. Finds patterns that are none (`schema_invalid`) or can take exponential time
 * (`unsafe_pattern`), and references that would keep a validator busy for ever or nearly so: a schema that refers to itself
 * without going deeper into the value (`schema_ref`), and references that multiply (`schema_too_large`). `where` names the schema.
 *
 * It is loaded when the first such schema is met, and shares no code with what is loaded at start: bundlers would put the shared
 * part into a file of its own, which every start would have to read.
 */
export function verifySchema({ schemas, targets }: SchemaReading, where: string): SchemaProblem | undefined {
  return findBadPattern(schemas, where) ?? findCostlyReference(schemas, targets, where);
}

function findBadPattern(schemas: Iterable<JsonObject>, where: string): SchemaProblem | undefined {
  const isSafe = createPatternChecker();
  for (const { pattern, patternProperties } of schemas) {
    for (const source of [pattern, ...Object.keys(patternProperties ?? {})]) {
      if (typeof source !== "string") continue;
      const shown = JSON.stringify(source.slice(0, 60));
      if (!isExpression(source))
        return {
          code: "schema_invalid",
          message: `Expected every pattern of the ${where} to be a regular expression, received ${shown}`,
        };
      if (!isSafe(source))
        return {
          code: "unsafe_pattern",
          message: `Expected every pattern of the ${where} to be unambiguous, but ${shown} can take exponential time`,
        };
    }
  }
  return undefined;
}

function isExpression(source: string): boolean {
  try {
    return new RegExp(source, "u") instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Measures how many schemas apply at one place, each once. */
function findCostlyReference(
  schemas: ReadonlySet<JsonObject>,
  targets: SchemaReading["targets"],
  where: string,
): SchemaProblem | undefined {
  const costs = new Map<JsonObject, number>();
  const open = new Set<JsonObject>();
  let problem: SchemaProblem | undefined;

  const measure = (value: unknown): number => {
    const schema = value as JsonObject; // or a boolean, or nothing; which are no members of the set
    if (problem !== undefined || !schemas.has(schema)) return value === undefined ? 0 : 1;
    const known = costs.get(schema);
    if (known !== undefined) return known;
    if (open.has(schema)) {
      problem = { code: "schema_ref", message: `A "$ref" of the ${where} leads back to itself without going deeper` };
      return 1;
    }
    open.add(schema);
    let cost = 1;
    if (open.size <= MAX_CHAIN) for (const inner of listInPlace(schema, targets)) cost += measure(inner);
    if (cost > MAX_CHECKS || open.size > MAX_CHAIN)
      problem ??= {
        code: "schema_too_large",
        message: `The references of the ${where} multiply beyond ${MAX_CHECKS} schemas for one value`,
      };
    open.delete(schema);
    costs.set(schema, cost);
    return cost;
  };

  for (const schema of schemas) measure(schema);
  return problem;
}

function listInPlace(schema: JsonObject, targets: SchemaReading["targets"]): unknown[] {
  const inner = IN_PLACE.flatMap((keyword) => schema[keyword]);
  // Known to be well formed: the values of `dependencies` are schemas or lists of names.
  const maps = [schema.dependentSchemas, schema.dependencies].flatMap((map) => Object.values(map ?? {}));
  return [...inner, ...maps.filter((each) => !Array.isArray(each)), ...(targets.get(schema) ?? [])];
}

import { type JsonObject, MortiseError } from "@mortise/core";
import { verifySchema } from "@mortise/core/patterns";
import { readSchema } from "@mortise/core/schema";
import { createSchemaCheck } from "./engine.js";
import { dropPrototypes, prepareSchema } from "./prepare-schema.js";

/** Says what is wrong with a value; `undefined` for nothing. */
export type OutputCheck = (value: unknown) => string | undefined;

/** How many faults are told. */
const MOST_TOLD = 5;

/**
 * Makes a check for a schema that a server wrote, of any dialect this package reads: 2020-12, 2019-09 and draft-07. Throws
 * `MortiseError` for a schema that cannot be used, or that could be made to cost too much.
 */
export function createOutputCheck(schema: JsonObject, where: string): OutputCheck {
  const reading = readSchema(schema, where);
  const problem = reading.suspicious ? verifySchema(reading, where) : undefined;
  if (problem !== undefined) throw new MortiseError(problem.code, problem.message);
  const { schema: prepared, plainNames } = prepareSchema(reading);
  const check = createSchemaCheck(prepared);
  return (value) => {
    try {
      const subject = plainNames ? value : dropPrototypes(value);
      if (check.accepts(subject)) return undefined;
      const faults = check.explain(subject).slice(0, MOST_TOLD);
      return (
        faults.map(({ instancePath, message }) => `${instancePath || "/"} ${message}`).join("; ") || "/ does not match"
      );
    } catch (error) {
      // A recursive schema follows the value down; a value may be deeper than the stack.
      if (error instanceof RangeError) return "/ is nested too deeply";
      throw error;
    }
  };
}

import { describeType, type JsonObject, MortiseError } from "@mortise/core";
import { verifySchema } from "@mortise/core/patterns";
import { formatPath, readSchema } from "@mortise/core/schema";
import { buildValidator } from "./json-schema/build-validator.js";
import { createQuickCheck } from "./json-schema/quick-check.js";
import type { Checked } from "./schema/checked.js";

export type { Checked, Issue } from "./schema/checked.js";

/** Checks one value, synchronously. Never throws. */
export type Validate = (value: unknown) => Checked;

/**
 * Makes a validator for a plain JSON Schema of dialect 2020-12 (the default), 2019-09 or draft-07. It is compiled to code where
 * that is allowed and interpreted elsewhere, with the same verdicts. Formats are checked; `default` is an annotation.
 * Throws `schema_invalid`, `schema_dialect`, `schema_ref`, `schema_too_large` or `unsafe_pattern`.
 */
export function createValidator(schema: JsonObject): Validate {
  const reading = readSchema(schema);
  const problem = reading.suspicious ? verifySchema(reading, "schema") : undefined;
  if (problem !== undefined) throw new MortiseError(problem.code, problem.message);
  return buildValidator(reading, { accepts: createQuickCheck(reading.json), describeType, formatPath });
}

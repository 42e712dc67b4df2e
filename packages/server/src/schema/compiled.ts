import { describeType, isObject, MortiseError } from "@mortise/core";
import type { CompiledSchema, SchemaSource } from "./checked.js";
import { compilePlain } from "./compile-plain.js";
import { compileStandard } from "./compile-standard.js";
import { isStandardSchema } from "./standard.js";

export type { Checked, CompiledSchema, Issue } from "./checked.js";

/**
 * Makes the schema of some arguments ready: what is published always has `type: "object"` at its root.
 * `where` names the owner in errors, as in `tool "greet"`.
 * Throws `schema_invalid`, `schema_unsupported`, `schema_dialect`, `schema_ref`, `schema_too_large` or `unsafe_pattern`.
 * The caller's object is never changed.
 */
export function compileInput(schema: unknown, where: string): CompiledSchema {
  return compile(schema, { side: "input", where: `input schema of ${where}` });
}

/**
 * Makes the schema of a result ready: any JSON value can be described. Throws like `compileInput`.
 */
export function compileOutput(schema: unknown, where: string): CompiledSchema {
  return compile(schema, { side: "output", where: `output schema of ${where}` });
}

function compile(schema: unknown, source: SchemaSource): CompiledSchema {
  if (isStandardSchema(schema)) return compileStandard(schema, source);
  if (!isObject(schema)) {
    const expected = `Expected the ${source.where} to be a JSON Schema object or a Standard Schema`;
    throw new MortiseError("schema_invalid", `${expected}, received ${describeType(schema)}`);
  }
  // Other servers take an object of schemas, and wrap it themselves.
  const member = Object.keys(schema).find((name) => isStandardSchema(schema[name]));
  if (member !== undefined) {
    const expected = `Expected the ${source.where} to be one schema, received an object with a schema as "${member}"`;
    throw new MortiseError("schema_invalid", `${expected}: wrap it with z.object() or the like of your library`);
  }
  return compilePlain(schema, source);
}

import type { JsonObject } from "@mortise/core";
import { boundSchema } from "./bounds.js";
import { checkKeywords } from "./check-keywords.js";
import { checkReferences } from "./check-references.js";
import type { Checked, CompiledSchema, SchemaSource } from "./checked.js";
import { copyJson } from "./copy-json.js";
import { toObjectRoot } from "./object-root.js";

/**
 * Compiles a plain JSON Schema. It is published as it is; what checks values is loaded with the first value, so that a server
 * starts without it.
 */
export function compilePlain(schema: JsonObject, source: SchemaSource): CompiledSchema {
  const json = readPlain(schema, source);
  let validate: ((value: unknown) => Checked) | undefined;
  const load = async (value: unknown): Promise<Checked> => {
    const { buildValidator } = await import("../json-schema/build-validator.js");
    validate ??= buildValidator(json);
    return validate(value);
  };
  return { json, check: (value) => (validate === undefined ? load(value) : validate(value)) };
}

/** Checks a plain schema and copies it into the form that is published and validated against. Throws like `compileInput`. */
export function readPlain(schema: JsonObject, source: SchemaSource): JsonObject {
  boundSchema(schema, source.where);
  checkKeywords(schema, source.where);
  checkReferences(schema, source.where);
  return copyJson(source.side === "input" ? toObjectRoot(schema, source.where) : schema, source.where);
}

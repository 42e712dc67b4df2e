import type { JsonObject } from "@mortise/core";
import { boundSchema } from "./bounds.js";
import { checkKeywords } from "./check-keywords.js";
import { checkReferences } from "./check-references.js";
import type { Checked, CompiledSchema, SchemaSource } from "./checked.js";
import { copyJson } from "./copy-json.js";
import { toObjectRoot } from "./object-root.js";
import { createQuickCheck } from "./quick-check.js";

/** Compiled code is up to ten times as fast as the quick check, which is worth its loading time to a server that is in use. */
const QUICK_CALLS = 64;

/**
 * Compiles a plain JSON Schema. It is published as it is. The validator is loaded with the first value that the quick check does
 * not accept, or once the schema has been in use for a while, so that a server answers its first calls without it.
 */
export function compilePlain(schema: JsonObject, source: SchemaSource): CompiledSchema {
  const json = readPlain(schema, source);
  const accepts = createQuickCheck(json);
  let quickCalls = 0;
  let validate: ((value: unknown) => Checked) | undefined;
  const load = async (value: unknown): Promise<Checked> => {
    const { buildValidator } = await import("../json-schema/build-validator.js");
    validate ??= buildValidator(json);
    return validate(value);
  };
  const check = (value: unknown): Checked | Promise<Checked> => {
    if (validate !== undefined) return validate(value);
    if (quickCalls >= QUICK_CALLS || accepts?.(value) !== true) return load(value);
    quickCalls += 1;
    return { ok: true, value };
  };
  return { json, check };
}

/** Checks a plain schema and copies it into the form that is published and validated against. Throws like `compileInput`. */
export function readPlain(schema: JsonObject, source: SchemaSource): JsonObject {
  boundSchema(schema, source.where);
  checkKeywords(schema, source.where);
  checkReferences(schema, source.where);
  return copyJson(source.side === "input" ? toObjectRoot(schema, source.where) : schema, source.where);
}

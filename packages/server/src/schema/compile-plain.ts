import type { JsonObject } from "@mortise/core";
import { checkSchemaBounds } from "./bounds.js";
import type { CompiledSchema, SchemaSource } from "./checked.js";
import { copyJson } from "./copy-json.js";
import { toObjectRoot } from "./object-root.js";

/** Compiles a plain JSON Schema: it is published as it is, and the validator is loaded with the first value to check. */
export function compilePlain(schema: JsonObject, source: SchemaSource): CompiledSchema {
  checkSchemaBounds(schema);
  const json = copyJson(source.side === "input" ? toObjectRoot(schema, source.where) : schema, source.where);
  return { json, check: (value) => ({ ok: true, value }) };
}

import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { checkSchemaBounds } from "./bounds.js";
import type { Checked, CompiledSchema, Issue, SchemaSource } from "./checked.js";
import { copyJson } from "./copy-json.js";
import { formatPath, readKeys } from "./issue-path.js";
import { toObjectRoot } from "./object-root.js";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard.js";

const TARGET = "draft-2020-12";
const MAX_ISSUES = 32;

/** How a schema of a library gets its JSON Schema ability, by vendor. */
const CURES: ReadonlyMap<string, string> = new Map([
  ["valibot", 'wrap it with toStandardJsonSchema() from "@valibot/to-json-schema"'],
  ["zod", "use zod 4.2 or later"],
  ["arktype", "use arktype 2.1.28 or later"],
]);

/** Compiles a schema of a Standard Schema library: the library validates, its JSON Schema is published. */
export function compileStandard(schema: StandardSchema, source: SchemaSource): CompiledSchema {
  const standard = schema["~standard"];
  const json = publish(convert(schema, source), source);
  return {
    json,
    check: (value) => {
      const result = standard.validate(value);
      return isPromise(result) ? result.then(toChecked) : toChecked(result);
    },
  };
}

function convert(schema: StandardSchema, { side, where }: SchemaSource): JsonObject {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined || typeof jsonSchema[side] !== "function") {
    const cure = CURES.get(vendor) ?? "use a library that implements Standard JSON Schema, or pass plain JSON Schema";
    throw new MortiseError("schema_unsupported", `The ${where} cannot be published, because it has no JSON Schema: ${cure}`);
  }
  let json: unknown;
  try {
    json = jsonSchema[side]({ target: TARGET });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MortiseError("schema_unsupported", `The ${where} cannot be written as JSON Schema: ${reason}`, { cause });
  }
  if (!isObject(json)) throw new MortiseError("schema_invalid", `Expected the ${where} to convert to a JSON Schema object, received ${describeType(json)}`);
  return json;
}

function publish(converted: JsonObject, source: SchemaSource): JsonObject {
  checkSchemaBounds(converted);
  // 2020-12 is the protocol's default dialect, and older clients give up on a `$schema` whose dialect they have not loaded.
  const { $schema: _dialect, ...rest } = converted;
  const json = source.side === "input" ? toObjectRoot(rest, source.where) : rest;
  return copyJson(json, source.where);
}

function toChecked(result: StandardResult<unknown>): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue(issue: StandardIssue): Issue {
  return { path: formatPath(readKeys(issue.path)), message: issue.message };
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

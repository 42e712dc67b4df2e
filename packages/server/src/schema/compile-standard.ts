import { describeType, isObject, type JsonObject, MortiseError } from "@mortise/core";
import { readSchema } from "@mortise/core/schema";
import { checkStandard } from "./check-standard.js";
import type { CompiledSchema, SchemaSource } from "./checked.js";
import { toObjectRoot } from "./object-root.js";
import { stabilizeNames } from "./stable-names.js";
import type { StandardSchema } from "./standard.js";

const TARGET = "draft-2020-12";
/** How a schema of a library gets its JSON Schema ability, by vendor. */
const CURES: ReadonlyMap<string, string> = new Map([
  ["valibot", 'wrap it with toStandardJsonSchema() from "@valibot/to-json-schema"'],
  ["zod", "use zod 4.2 or later"],
  ["arktype", "use arktype 2.1.28 or later"],
]);

/** Compiles a schema of a Standard Schema library: the library validates, its JSON Schema is published. */
export function compileStandard(schema: StandardSchema, source: SchemaSource): CompiledSchema {
  const standard = schema["~standard"];
  const converted = convert(schema, source);
  // 2020-12 is the protocol's default dialect, and older clients give up on a `$schema` whose dialect they have not loaded.
  const { $schema: _dialect, ...rest } = standard.vendor === "arktype" ? stabilizeNames(converted) : converted;
  // The library validates, by its own expressions: what it publishes as `pattern` is never run here, nor are references followed.
  const reading = readSchema(rest, source.where);
  return {
    json: source.side === "input" ? toObjectRoot(reading, source.where) : reading.json,
    annotations: reading.annotations,
    check: (value) => checkStandard(standard, value),
  };
}

function convert(schema: StandardSchema, { side, where }: SchemaSource): JsonObject {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined || typeof jsonSchema[side] !== "function") {
    const cure = CURES.get(vendor) ?? "use a library that implements Standard JSON Schema, or pass plain JSON Schema";
    throw new MortiseError(
      "schema_unsupported",
      `The ${where} cannot be published, because it has no JSON Schema: ${cure}`,
    );
  }
  let json: unknown;
  try {
    json = jsonSchema[side]({ target: TARGET });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MortiseError("schema_unsupported", `The ${where} cannot be written as JSON Schema: ${reason}`, { cause });
  }
  if (!isObject(json))
    throw new MortiseError(
      "schema_invalid",
      `Expected the ${where} to convert to a JSON Schema object, received ${describeType(json)}`,
    );
  return json;
}

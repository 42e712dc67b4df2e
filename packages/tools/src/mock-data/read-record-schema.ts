import { isObject, type JsonObject, MortiseError } from "@mortise/core";
import { createValidator, type Validate } from "@mortise/server/json-schema";
import { ToolFailure } from "../tool-failure.js";

/** What is known of the records that are asked for. */
export interface RecordSchema {
  /** As the model is told. */
  readonly text: string;
  /** Says what is wrong with a list of records, up to a few things; `undefined` where it is no JSON Schema. */
  readonly check: ((records: readonly unknown[]) => string | undefined) | undefined;
}

const MOST_CHARACTERS = 100_000;
const MOST_PROBLEMS = 10;

/** One of these at the root makes an object a schema rather than an example. */
const KEYWORDS = [
  ...["$schema", "$ref", "$defs", "type", "properties", "patternProperties", "required", "additionalProperties"],
  ...["items", "prefixItems", "enum", "const", "allOf", "anyOf", "oneOf", "not", "if"],
];

/**
 * Reads the schema of records. Throws `ToolFailure` for a JSON Schema that is too large, malformed, refers outside itself, or has
 * patterns that can take exponential time.
 */
export function readRecordSchema(source: JsonObject | string): RecordSchema {
  const value = typeof source === "string" ? parseText(source) : source;
  const text = typeof source === "string" ? source : JSON.stringify(source, undefined, 2);
  if (text.length > MOST_CHARACTERS)
    throw new ToolFailure(`Expected "schema" to have at most ${MOST_CHARACTERS} characters, received ${text.length}`);
  if (value === undefined || !KEYWORDS.some((keyword) => Object.hasOwn(value, keyword)))
    return { text, check: undefined };
  const validate = buildValidator(value);
  const isList = value.type === "array";
  return { text, check: (records) => (isList ? checkList(records, validate) : checkEach(records, validate)) };
}

/** Text that is no JSON object describes records in some other way. */
function parseText(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function buildValidator(schema: JsonObject): Validate {
  try {
    return createValidator(schema);
  } catch (error) {
    if (error instanceof MortiseError) throw new ToolFailure(`The schema cannot be used: ${error.message}`);
    throw error;
  }
}

/** A schema of a list is one of all records together. */
function checkList(records: readonly unknown[], validate: Validate): string | undefined {
  return describe(validate(records), "records");
}

function checkEach(records: readonly unknown[], validate: Validate): string | undefined {
  const problems = records.flatMap((record, index) => describe(validate(record), `records[${index}]`) ?? []);
  const more = problems.length - MOST_PROBLEMS;
  if (problems.length === 0) return undefined;
  return [...problems.slice(0, MOST_PROBLEMS), ...(more > 0 ? [`and ${more} more records are wrong`] : [])].join("; ");
}

function describe(checked: ReturnType<Validate>, place: string): string | undefined {
  if (checked.ok) return undefined;
  const issues = checked.issues.slice(0, MOST_PROBLEMS);
  return issues.map(({ path, message }) => `${join(place, path)} ${message}`).join(", ");
}

function join(place: string, path: string): string {
  if (path === "") return place;
  return path.startsWith("[") ? `${place}${path}` : `${place}.${path}`;
}

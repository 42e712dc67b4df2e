import { describeType, isObject, type JsonObject } from "@mortise/core";

/** Says what is wrong with a value; `undefined` for nothing. */
export type Verdict = string | undefined;

/**
 * Checks one field of a form. A field of a kind that forms do not have is left to the server, which checks as well.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function checkField(field: JsonObject, value: unknown): Verdict {
  const choices = readChoices(field);
  if (choices !== undefined) return choices.includes(value) ? undefined : `must be one of ${choices.join(", ")}`;
  switch (field.type) {
    case "string":
      return typeof value === "string" ? checkText(field, value) : wrongType("a string", value);
    case "number":
    case "integer":
      return checkNumber(field, value);
    case "boolean":
      return typeof value === "boolean" ? undefined : wrongType("a boolean", value);
    case "array":
      return Array.isArray(value) ? checkList(field, value) : wrongType("an array", value);
    default:
      return undefined;
  }
}

const FORMATS: ReadonlyMap<unknown, (text: string) => boolean> = new Map([
  ["email", (text) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ["uri", (text) => URL.canParse(text)],
  ["date", isDate],
  ["date-time", isDateTime],
]);

function checkText({ minLength, maxLength, format }: JsonObject, text: string): Verdict {
  // JSON Schema counts characters, not the units of UTF-16.
  const length = [...text].length;
  if (typeof minLength === "number" && length < minLength) return `must have at least ${minLength} characters`;
  if (typeof maxLength === "number" && length > maxLength) return `must have at most ${maxLength} characters`;
  return FORMATS.get(format)?.(text) === false ? `must be of the format ${String(format)}` : undefined;
}

function checkNumber({ type, minimum, maximum }: JsonObject, value: unknown): Verdict {
  if (typeof value !== "number" || !Number.isFinite(value)) return wrongType("a number", value);
  if (type === "integer" && !Number.isInteger(value)) return "must be a whole number";
  if (typeof minimum === "number" && value < minimum) return `must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `must be at most ${maximum}`;
  return undefined;
}

function checkList({ items, minItems, maxItems }: JsonObject, list: readonly unknown[]): Verdict {
  if (typeof minItems === "number" && list.length < minItems) return `must have at least ${minItems} items`;
  if (typeof maxItems === "number" && list.length > maxItems) return `must have at most ${maxItems} items`;
  const choices = isObject(items) ? readChoices(items) : undefined;
  if (choices !== undefined && !list.every((item) => choices.includes(item)))
    return `must only hold ${choices.join(", ")}`;
  return list.every((item) => typeof item === "string") ? undefined : "must only hold strings";
}

/** What may be chosen, in any of the ways to write it. */
function readChoices(field: JsonObject): readonly unknown[] | undefined {
  if (Array.isArray(field.enum)) return field.enum;
  const options = field.oneOf ?? field.anyOf;
  if (!Array.isArray(options) || !options.every((option) => isObject(option) && option.const !== undefined))
    return undefined;
  return options.map((option: JsonObject) => option.const);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // The 30th of February is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [, date, rest] =
    /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[Zz]|[+-]\d{2}:\d{2}))$/.exec(text) ?? [];
  return date !== undefined && rest !== undefined && isDate(date) && !Number.isNaN(Date.parse(text.toUpperCase()));
}

function wrongType(expected: string, value: unknown): string {
  return `must be ${expected}, received ${describeType(value)}`;
}

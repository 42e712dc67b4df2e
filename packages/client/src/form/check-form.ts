import { isObject, type JsonObject } from "@mortise/core";
import type { FormContent } from "../question.js";
import { checkField } from "./form-field.js";

/** What is wrong with one field of a form. */
export interface FormIssue {
  readonly field: string;
  /** Goes on where the name of the field ends: "must be at least 3". */
  readonly message: string;
}

/** What a check of a form found. */
export type FormCheck =
  | { readonly ok: true; readonly content: FormContent }
  | { readonly ok: false; readonly issues: readonly FormIssue[] };

/**
 * Fills the defaults of a form into what the user left empty, and checks the whole: types, lengths, ranges, formats, choices,
 * required fields, and that there are no fields besides. A default that is wrong itself is not filled in.
 *
 * @param requestedSchema The fields, as the server asks for them.
 * @param filled What the user filled in. Members that are `undefined` were left empty. @default nothing
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 *
 * @example
 * const check = checkForm(request.requestedSchema, { age: 7 });
 * if (!check.ok) show(check.issues);
 */
export function checkForm(requestedSchema: JsonObject, filled: Readonly<Record<string, unknown>> = {}): FormCheck {
  const fields = new Map(Object.entries(isObject(requestedSchema.properties) ? requestedSchema.properties : {}));
  const issues: FormIssue[] = [];
  const content = new Map<string, unknown>();
  for (const [name, schema] of fields) {
    const field = isObject(schema) ? schema : {};
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined;
    const value = given === undefined ? readDefault(field) : given;
    if (value === undefined) continue;
    const message = checkField(field, value);
    if (message === undefined) content.set(name, value);
    else issues.push({ field: name, message });
  }
  for (const name of Object.keys(filled))
    if (filled[name] !== undefined && !fields.has(name))
      issues.push({ field: name, message: "is no field of this form" });
  const wrong = new Set(issues.map(({ field }) => field));
  for (const name of listRequired(requestedSchema))
    if (!content.has(name) && !wrong.has(name)) issues.push({ field: name, message: "is required" });
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, content: Object.fromEntries(content) as FormContent }; // checked field by field
}

function readDefault(field: JsonObject): unknown {
  const { default: value } = field;
  return value === undefined || checkField(field, value) !== undefined ? undefined : value;
}

function listRequired({ required }: JsonObject): readonly string[] {
  return Array.isArray(required) ? required.filter((name: unknown) => typeof name === "string") : [];
}

import { formatPath, isObject, isThenable } from "@mortise/core";
import type { Checked, Issue } from "./checked.js";
import type { StandardIssue, StandardProps, StandardResult } from "./standard.js";

/** A model does not read more, and a wrong array can have thousands. */
const MAX_ISSUES = 20;

/** Lets a Standard Schema library check one value, and puts its verdict into our words. */
export function checkStandard(standard: StandardProps<unknown, unknown>, value: unknown): Checked | Promise<Checked> {
  try {
    const result = standard.validate(value);
    return isThenable(result) ? Promise.resolve(result).then(toChecked, refuseDeep) : toChecked(result);
  } catch (error) {
    return refuseDeep(error);
  }
}

/** A recursive schema follows the value down; a value may be deeper than the stack. */
function refuseDeep(error: unknown): Checked {
  if (error instanceof RangeError) return { ok: false, issues: [{ path: "", message: "is nested too deeply" }] };
  throw error;
}

function toChecked(result: StandardResult<unknown>): Checked {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue(issue: StandardIssue): Issue {
  const path = formatPath((issue.path ?? []).map((item) => (typeof item === "object" ? item.key : item)));
  const alternatives = listAlternatives(issue);
  if (alternatives !== undefined) return { path, message: alternatives };
  // ArkType begins its messages with the path, which the issue carries already.
  const repeated = path !== "" && issue.message.startsWith(`${path} `);
  return { path, message: repeated ? issue.message.slice(path.length + 1) : issue.message };
}

/** zod says of a union no more than "Invalid input", and keeps what each alternative expected in `errors`. */
function listAlternatives(issue: StandardIssue): string | undefined {
  const errors = "errors" in issue && Array.isArray(issue.errors) ? issue.errors.filter(Array.isArray) : [];
  if (errors.length === 0) return undefined;
  const alternatives = errors.slice(0, MAX_ISSUES).map((each) => each.filter(isIssue).map(describeIssue).join(", "));
  return `matches none of the alternatives: ${alternatives.map((text, index) => `(${index + 1}) ${text}`).join("; ")}`;
}

function describeIssue(issue: StandardIssue): string {
  const { path, message } = toIssue(issue);
  return path === "" ? message : `${path}: ${message}`;
}

function isIssue(value: unknown): value is StandardIssue {
  return (
    isObject(value) &&
    typeof value["message"] === "string" &&
    (value["path"] === undefined || Array.isArray(value["path"]))
  );
}

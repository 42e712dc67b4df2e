import type { Issue } from "./checked.js";
import type { StandardIssue } from "./standard.js";

/** A model does not read more, and a wrong array can have thousands. */
const MAX_ISSUES = 20;

type FormatPath = (keys: Iterable<PropertyKey>) => string;

/**
 * Puts the issues of a Standard Schema library into our words. Loaded with the first value that is wrong; `formatPath` is handed in
 * for the reason given at `verifySchema`.
 */
export function explainIssues(issues: readonly StandardIssue[], formatPath: FormatPath): Issue[] {
  return issues.slice(0, MAX_ISSUES).map((issue) => toIssue(issue, formatPath));
}

function toIssue(issue: StandardIssue, formatPath: FormatPath): Issue {
  const path = formatPath((issue.path ?? []).map((item) => (typeof item === "object" ? item.key : item)));
  const alternatives = listAlternatives(issue, formatPath);
  if (alternatives !== undefined) return { path, message: alternatives };
  // ArkType begins its messages with the path, which the issue carries already.
  const repeated = path !== "" && issue.message.startsWith(`${path} `);
  return { path, message: repeated ? issue.message.slice(path.length + 1) : issue.message };
}

/** zod says of a union no more than "Invalid input", and keeps what each alternative expected in `errors`. */
function listAlternatives(issue: StandardIssue, formatPath: FormatPath): string | undefined {
  const errors = "errors" in issue && Array.isArray(issue.errors) ? issue.errors.filter(Array.isArray) : [];
  if (errors.length === 0) return undefined;
  const alternatives = errors.slice(0, MAX_ISSUES).map((each) =>
    each
      .filter(isIssue)
      .map((inner) => describeIssue(inner, formatPath))
      .join(", "),
  );
  return `matches none of the alternatives: ${alternatives.map((text, index) => `(${index + 1}) ${text}`).join("; ")}`;
}

function describeIssue(issue: StandardIssue, formatPath: FormatPath): string {
  const { path, message } = toIssue(issue, formatPath);
  return path === "" ? message : `${path}: ${message}`;
}

function isIssue(value: unknown): value is StandardIssue {
  if (typeof value !== "object" || value === null || !("message" in value)) return false;
  return (
    typeof value.message === "string" && (!("path" in value) || value.path === undefined || Array.isArray(value.path))
  );
}

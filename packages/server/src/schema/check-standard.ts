import { isThenable } from "@mortise/core";
import { formatPath } from "@mortise/core/schema";
import type { Checked } from "./checked.js";
import type { StandardIssue, StandardProps, StandardResult } from "./standard.js";

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

function toChecked(result: StandardResult<unknown>): Checked | Promise<Checked> {
  return result.issues === undefined ? { ok: true, value: result.value } : refuse(result.issues);
}

async function refuse(issues: readonly StandardIssue[]): Promise<Checked> {
  const { explainIssues } = await import("./explain-issues.js");
  return { ok: false, issues: explainIssues(issues, formatPath) };
}

// Judges one scenario by the statuses of its checks. The referee's own exit code and tick marks are not enough: it passes
// some scenarios of a server that does not even listen. A check that skips itself misses something that it wanted to look at.

/**
 * @param {{ id: string, status: string, description?: string, errorMessage?: string }[]} checks
 * @returns {{ passed: number, problems: string[] }} a scenario without problems has passed
 */
export function judgeChecks(checks) {
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  const problems = checks
    .filter(({ status }) => status === "FAILURE" || status === "WARNING" || status === "SKIPPED")
    .map(({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description ?? ""}`.trim());
  if (passed === 0) problems.push("No check succeeded");
  return { passed, problems };
}

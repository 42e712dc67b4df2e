// Judges one scenario by the statuses of its checks. The referee's own exit code and tick marks are not enough: it passes
// some scenarios of a server that does not even listen, and of a client that does nothing. A check that skips itself misses
// something that it wanted to look at.

/**
 * @param {{ id: string, name?: string, status: string, description?: string, errorMessage?: string }[]} checks
 * @param {{ least?: number, skips?: readonly string[] }} [expected]
 *   `least` is how many different checks have to succeed; `skips` names those that may be skipped
 * @returns {{ passed: number, problems: string[] }}
 *   `passed` is how many different checks succeeded; a scenario without problems has passed
 */
export function judgeChecks(checks, { least = 1, skips = [] } = {}) {
  // Many checks are repeated for every request.
  const passed = new Set(checks.filter(isSuccess).map(({ id, name }) => `${id} ${name}`)).size;
  const problems = checks
    .filter(({ status, name }) => isProblem(status) && !(status === "SKIPPED" && skips.includes(name)))
    .map(({ id, status, description, errorMessage }) => `${status} ${id}: ${errorMessage ?? description ?? ""}`.trim());
  if (passed < least) problems.push(passed === 0 ? "No check succeeded" : `${passed} of ${least} checks succeeded`);
  return { passed, problems };
}

function isSuccess({ status }) {
  return status === "SUCCESS";
}

function isProblem(status) {
  return status === "FAILURE" || status === "WARNING" || status === "SKIPPED";
}

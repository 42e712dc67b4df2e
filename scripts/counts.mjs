// Reads how many tests passed and failed out of what the runners report.
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number }} Counts */

/** @returns {Counts} */
export function addCounts(list) {
  return list.reduce((sum, { passed, failed }) => ({ passed: sum.passed + passed, failed: sum.failed + failed }), {
    passed: 0,
    failed: 0,
  });
}

/**
 * Counts of a vitest JSON report. A test file that cannot be loaded has no failing test, yet it counts as one failure; so
 * does a run that ended badly for any other reason (an unhandled rejection, a crash).
 *
 * @returns {Counts}
 */
export function readVitestCounts(path, exitCode) {
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(path, "utf8"));
  const broken = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = report.numFailedTests + broken;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

/**
 * Counts of a run of Node's test runner with the TAP reporter.
 *
 * @returns {Counts}
 */
export function readNodeCounts({ code, output }) {
  const number = (name) => Number(output.match(new RegExp(`^# ${name} (\\d+)$`, "m"))?.[1] ?? 0);
  const failed = number("fail") + number("cancelled");
  return { passed: number("pass"), failed: failed === 0 && code !== 0 ? 1 : failed };
}

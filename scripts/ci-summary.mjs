// The last line of a whole run. `ci-summary.mjs --clear` begins one; `ci-summary.mjs N` ends one in which N commands failed.
import { addCounts } from "./counts.mjs";
import { clearReports, readReports } from "./reports.mjs";

const [argument] = process.argv.slice(2);
if (argument === "--clear") {
  clearReports();
} else {
  const broken = Number(argument);
  const { passed, failed } = addCounts(readReports());
  // A command that failed without a failing test (lint, a build, a crash) counts as one failure.
  const total = Math.max(failed, broken);
  console.log(`tests: ${passed} passed, ${total} failed`);
  process.exitCode = total === 0 ? 0 : 1;
}

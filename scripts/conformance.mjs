// pnpm conformance: lets the official referee judge the server and the client in apps/conformance. Arguments limit this to
// the scenarios whose name contains one of them, `--leg server` and `--leg client` to one side. The last line sums up:
// `conformance: N passed, M failed`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { judgeClient } from "./conformance-client.mjs";
import { FOLDER } from "./conformance-referee.mjs";
import { judgeServer } from "./conformance-server.mjs";
import { writeReport } from "./reports.mjs";
import { setup } from "./setup.mjs";

const LEGS = { server: judgeServer, client: judgeClient };

const args = process.argv.slice(2).filter((arg) => arg !== "--");
const { values, positionals: parts } = parseArgs({
  args,
  options: { leg: { type: "string" } },
  allowPositionals: true,
});

process.exitCode = await main(values.leg);

async function main(leg) {
  if (leg !== undefined && !(leg in LEGS)) {
    console.error(`There is no leg called ${leg}. There are: ${Object.keys(LEGS).join(", ")}`);
    return 1;
  }
  await setup({ folders: [FOLDER] });
  const folder = mkdtempSync(join(tmpdir(), "mortise-conformance-"));
  const counts = { passed: 0, failed: 0 };
  try {
    for (const [name, judge] of Object.entries(LEGS)) {
      if (leg !== undefined && leg !== name) continue;
      await judge({ parts, folder: join(folder, name), report: (verdict) => report(verdict, counts) });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  writeReport("conformance", counts);
  console.log(`conformance: ${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

function report({ name, passed, problems }, counts) {
  counts[problems.length === 0 ? "passed" : "failed"]++;
  console.log(`${problems.length === 0 ? "✓" : "✗"} ${name} (${passed} checks)`);
  for (const problem of problems) console.log(`    ${problem}`);
}

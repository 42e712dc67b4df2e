// npm test: sets up the whole workspace, then runs every test that needs no extra system package.
// Arguments are passed on to vitest: `npm test -- --project core`.
// With CI set it also installs and runs what is too large to fetch for everybody: the Inspector, and other runtimes.
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { addCounts, readNodeCounts, readVitestCounts } from "./counts.mjs";
import { writeReport } from "./reports.mjs";
import { node, run } from "./run.mjs";
import { setup } from "./setup.mjs";
import { listWorkspaces, ROOT } from "./workspace.mjs";

const CI_ONLY = process.env.CI ? [] : ["peers-inspector", "runtimes"];
const REPORT = join(ROOT, ".reports", "vitest.json");

const folders = listWorkspaces().map(({ folder }) => folder);
await setup({ folders: folders.filter((folder) => !CI_ONLY.some((name) => folder === `packages/${name}`)) });

const args = process.argv.slice(2);
const packages = await testPackages(args);
const scripts = args.length === 0 ? await testScripts() : { passed: 0, failed: 0 };
const { passed, failed } = addCounts([packages, scripts]);
writeReport("test", { passed, failed });
console.log(`\ntests: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function testPackages(extra) {
  mkdirSync(join(ROOT, ".reports"), { recursive: true });
  rmSync(REPORT, { force: true });
  const reporters = ["--reporter=minimal", "--silent=passed-only", "--reporter=json", `--outputFile.json=${REPORT}`];
  console.log("Running the tests …");
  // Vitest adds filters up: two that each leave one project out would leave out none.
  const isChosen = CI_ONLY.length === 0 || extra.some((arg) => arg.startsWith("--project"));
  const chosen = isChosen ? [] : listProjects().map((name) => `--project=${name}`);
  const done = await run("vitest", ["run", ...reporters, ...chosen, ...extra]);
  if (done.code !== 0) console.log(done.output);
  return readVitestCounts(REPORT, done.code);
}

/** The projects that need nothing but the packages of this workspace. */
function listProjects() {
  return listWorkspaces()
    .filter(({ path }) => existsSync(join(path, "vitest.config.ts")))
    .map(({ folder }) => basename(folder))
    .filter((name) => !CI_ONLY.includes(name));
}

/** The repository's own checks, tested with Node's runner because they must work before anything is built. */
async function testScripts() {
  const folder = join(ROOT, "scripts", "test");
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
  const done = await node(["--test", "--test-reporter=tap", ...files.map((name) => join(folder, name))]);
  if (done.code !== 0) console.log(done.output);
  return readNodeCounts(done);
}

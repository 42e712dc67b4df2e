// pnpm package: server.json has the form that the registry takes, and says the same as package.json. With `--update` its
// versions are set to the package's first, which `pnpm version-packages` does.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findServerJsonProblems, withVersion } from "./server-json.mjs";
import { ROOT } from "./workspace.mjs";

const folder = join(ROOT, "packages", "cli");
const path = join(folder, "server.json");
const published = readJson(join(folder, "package.json"));
if (process.argv.includes("--update")) {
  writeFileSync(path, `${JSON.stringify(withVersion(readJson(path), published.version), null, 2)}\n`);
}
const problems = findServerJsonProblems(readJson(path), published);
for (const problem of problems) console.log(`packages/cli/server.json ${problem}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`server.json speaks of ${published.name} ${published.version}`);

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}

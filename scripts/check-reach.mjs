// pnpm package: after a build, checks what each package's files contain and load. See reach.mjs for the rules.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLED } from "./bundled.mjs";
import { countFiles, findReachProblems, listEntryFiles } from "./reach.mjs";
import { listWorkspaces } from "./workspace.mjs";

const all = new Map();
const problems = [];
for (const { name, path, manifest, isPublic } of listWorkspaces()) {
  if (!isPublic) continue;
  const file = join(path, "dist", "metafile-esm.json");
  if (existsSync(file)) all.set(name, { name, manifest, metafile: JSON.parse(readFileSync(file, "utf8")) });
  else problems.push(`${name}: is not built`);
}
for (const built of all.values()) problems.push(...findReachProblems(built, all));
for (const { name, path } of listWorkspaces()) {
  for (const library of Object.keys(BUNDLED[name] ?? {})) {
    const notices = join(path, "THIRD-PARTY-LICENSES.txt");
    const isNamed = existsSync(notices) && readFileSync(notices, "utf8").includes(`\n${library}\n`);
    if (!isNamed) problems.push(`${name}: ${notices} does not hold the licence of ${library}`);
  }
}

for (const built of all.values()) {
  for (const { specifier, file } of listEntryFiles(built)) {
    if (file in built.metafile.outputs)
      console.log(`${specifier} loads ${countFiles(built, file, all)} files at start`);
  }
}
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;

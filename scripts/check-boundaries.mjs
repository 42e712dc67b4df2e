// pnpm lint: who may import whom. Prints `file:line rule: explanation` for each import that crosses a boundary.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { findBoundaryProblems } from "./boundaries.mjs";
import { listWorkspaces } from "./workspace.mjs";

const workspaces = listWorkspaces();
const problems = workspaces.flatMap((workspace) =>
  ["src", "test"]
    .flatMap((name) => listSources(join(workspace.path, name)))
    .flatMap((path) => {
      const file = relative(workspace.path, path).split(sep).join("/");
      const found = findBoundaryProblems({ workspace, workspaces, file, text: readFileSync(path, "utf8") });
      return found.map(({ line, rule, message }) => `${workspace.folder}/${file}:${line} ${rule}: ${message}`);
    }),
);
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${workspaces.length} workspaces keep their boundaries`);

function listSources(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listSources(path);
    return /\.[mc]?tsx?$/.test(entry.name) ? [path] : [];
  });
}

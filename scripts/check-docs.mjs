// pnpm typecheck: compiles the TypeScript blocks of README.md, packages/*/README.md and docs/, and makes sure that every
// path ARCHITECTURE.md mentions exists. A block opts out with ```ts no-check.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkBlocks, listBlocks } from "./docs.mjs";
import { listMissingPaths } from "./mentioned-paths.mjs";
import { listWorkspaces, ROOT } from "./workspace.mjs";

const workspaces = listWorkspaces();
const docs = existsSync(join(ROOT, "docs")) ? readdirSync(join(ROOT, "docs"), { recursive: true }) : [];
const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  ...workspaces.map((workspace) => `${workspace.folder}/README.md`),
  ...docs.filter((file) => file.endsWith(".md")).map((file) => `docs/${file}`),
].filter((page) => existsSync(join(ROOT, page)));
const read = (page) => readFileSync(join(ROOT, page), "utf8");

const blocks = pages.flatMap((page) => listBlocks(page, read(page)));
const problems = blocks.length === 0 ? [] : checkBlocks(blocks, { root: ROOT, workspaces });
for (const page of ["ARCHITECTURE.md", "CONTRIBUTING.md"].filter((one) => pages.includes(one))) {
  for (const { line, path } of listMissingPaths(ROOT, read(page)))
    problems.push(`${page}:${line} ${path} does not exist`);
}
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${blocks.length} code blocks of ${pages.length} pages compile`);

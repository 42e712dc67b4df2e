// pnpm lint: refuses words and paths that have no place in tracked files. Prints `file:line rule: explanation`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./run.mjs";
import { findWordProblems } from "./words.mjs";
import { ROOT } from "./workspace.mjs";

/** These hold bad samples on purpose. */
const EXEMPT = new Set(["scripts/test/words.test.mjs"]);

const { output } = await run("git", ["ls-files", "-z"]);
const files = output.split("\0").filter((file) => file !== "" && !EXEMPT.has(file) && existsSync(join(ROOT, file)));
let count = 0;
for (const file of files) {
  const bytes = readFileSync(join(ROOT, file));
  if (bytes.includes(0)) continue;
  for (const { line, rule, message } of findWordProblems(file, bytes.toString("utf8"))) {
    count++;
    console.log(`${file}:${line} ${rule}: ${message}`);
  }
}
if (count > 0) process.exitCode = 1;
else console.log(`${files.length} files say nothing they should not`);

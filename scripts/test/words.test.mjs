import assert from "node:assert/strict";
import { test } from "node:test";
import { findWordProblems } from "../words.mjs";

// Samples are put together here, so that no tracked file holds what is refused.
const HOST = ["registry", "example", "org"].join(".");
const ROOT = `/${"work"}`;
const LATER = ["TO", "DO"].join("");
const BROKEN = ["FIX", "ME"].join("");
const SKIP = [".", "skip("].join("");
const ONLY = [".", "only("].join("");

const REFUSED = [
  ["a registry's address", "pnpm-lock.yaml", `tarball: https://${HOST}/a/-/a-1.0.0.tgz`, "registry-host"],
  ["any host called registry", ".npmrc", `registry=http://${HOST}/`, "registry-host"],
  ["a folder of one machine", "docs/start.md", `cd ${ROOT}/repo && npm start`, "machine-path"],
  ["a path below /tmp", "packages/core/test/a.test.ts", 'const path = "/tmp/socket";', "machine-path"],
  ["a plan left in the code", "packages/core/src/a.ts", `// ${LATER}: later`, "unfinished"],
  ["a fault left in the code", "README.md", BROKEN, "unfinished"],
  ["a skipped test", "packages/core/test/a.test.ts", `test${SKIP}"does", () => {});`, "skipped-test"],
  ["a focused test", "packages/core/test/a.test.ts", `describe${ONLY}"does", () => {});`, "skipped-test"],
  ["an empty catch", "packages/core/src/a.ts", "try { f(); } catch {}", "empty-catch"],
  ["an empty catch over lines", "apps/a/src/a.ts", "try { f(); } catch (error) {\n}", "empty-catch"],
];

for (const [title, file, text, rule] of REFUSED) {
  test(`refused: ${title}`, () => {
    assert.deepEqual(
      findWordProblems(file, text).map((problem) => problem.rule),
      [rule],
    );
  });
}

const ALLOWED = [
  ["an official registry of servers", "docs/a.md", "the server registry at modelcontextprotocol.io"],
  ["a relative path", "docs/a.md", `see .${ROOT}/notes and packages${ROOT}/`],
  ["an address with such a folder", "docs/a.md", "https://example.com/tmp/file"],
  ["a method called only", "packages/core/src/a.ts", `list${ONLY}1)`],
  ["a catch with a reason", "packages/core/src/a.ts", "try { f(); } catch {\n  // Closed already.\n}"],
];

for (const [title, file, text] of ALLOWED) {
  test(`allowed: ${title}`, () => {
    assert.deepEqual(findWordProblems(file, text), []);
  });
}

test("a find names its line", () => {
  assert.equal(findWordProblems("a.md", `one\ntwo\n${LATER}`)[0].line, 3);
});

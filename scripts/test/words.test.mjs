import assert from "node:assert/strict";
import { test } from "node:test";
import { findWordProblems } from "../words.mjs";

const REFUSED = [
  ["a registry's address", "pnpm-lock.yaml", "tarball: https://registry.npmjs.org/a/-/a-1.0.0.tgz", "registry-host"],
  ["any host called registry", ".npmrc", "registry=http://registry.example/", "registry-host"],
  ["a folder of one machine", "docs/start.md", "cd /work/repo && npm start", "machine-path"],
  ["a path below /tmp", "packages/core/test/a.test.ts", 'const path = "/tmp/socket";', "machine-path"],
  ["a plan left in the code", "packages/core/src/a.ts", "// TODO: later", "unfinished"],
  ["a fault left in the code", "README.md", "FIXME", "unfinished"],
  ["a skipped test", "packages/core/test/a.test.ts", 'test.skip("does", () => {});', "skipped-test"],
  ["a focused test", "packages/core/test/a.test.ts", 'describe.only("does", () => {});', "skipped-test"],
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
  ["a relative path", "docs/a.md", "see ./work/notes and packages/work/"],
  ["an address with such a folder", "docs/a.md", "https://example.com/tmp/file"],
  ["a method called only", "packages/core/src/a.ts", "list.only(1)"],
  ["a catch with a reason", "packages/core/src/a.ts", "try { f(); } catch {\n  // Closed already.\n}"],
];

for (const [title, file, text] of ALLOWED) {
  test(`allowed: ${title}`, () => {
    assert.deepEqual(findWordProblems(file, text), []);
  });
}

test("a find names its line", () => {
  assert.equal(findWordProblems("a.md", "one\ntwo\nTODO")[0].line, 3);
});

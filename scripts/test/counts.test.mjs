import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { addCounts, readNodeCounts, readVitestCounts } from "../counts.mjs";

const folder = mkdtempSync(join(tmpdir(), "mortise-counts-"));
after(() => rmSync(folder, { recursive: true }));

test("sums up counts", () => {
  const sum = addCounts([
    { passed: 2, failed: 0 },
    { passed: 3, failed: 1 },
  ]);

  assert.deepEqual(sum, { passed: 5, failed: 1 });
});

test("reads a vitest report", () => {
  const path = report({ numPassedTests: 4, numFailedTests: 1, testResults: [] });

  assert.deepEqual(readVitestCounts(path, 1), { passed: 4, failed: 1 });
});

test("a test file that cannot be loaded is a failure", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  const path = report({ numPassedTests: 4, numFailedTests: 0, testResults });

  assert.deepEqual(readVitestCounts(path, 1), { passed: 4, failed: 1 });
});

test("a run that ends badly with every test green is a failure", () => {
  const path = report({ numPassedTests: 4, numFailedTests: 0, testResults: [] });

  assert.deepEqual(readVitestCounts(path, 1), { passed: 4, failed: 1 });
});

test("a missing report is a failure", () => {
  assert.deepEqual(readVitestCounts(join(folder, "none.json"), 0), { passed: 0, failed: 1 });
});

test("reads the summary of Node's runner", () => {
  const output = "TAP version 13\n# tests 3\n# pass 2\n# fail 1\n# cancelled 0\n";

  assert.deepEqual(readNodeCounts({ code: 1, output }), { passed: 2, failed: 1 });
});

test("a run of Node's runner without a summary is a failure", () => {
  assert.deepEqual(readNodeCounts({ code: 1, output: "" }), { passed: 0, failed: 1 });
});

function report(content) {
  const path = join(folder, `${Math.random()}.json`);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

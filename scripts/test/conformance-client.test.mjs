import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { judgeClientRun } from "../conformance-client.mjs";

/** Judges a client that ends at once, by a program of Node's command line. */
async function judge(program, scenario, revision) {
  const folder = mkdtempSync(join(tmpdir(), "mortise-verdict-"));
  try {
    return await judgeClientRun({ command: `"${process.execPath}" -e ${program}`, scenario, revision, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// The two scenarios in which the referee itself is content with it.
for (const [scenario, revision] of [
  ["initialize", "2025-11-25"],
  ["http-standard-headers", "2026-07-28"],
]) {
  test(`a client that does nothing does not pass ${scenario}`, async () => {
    const { passed, problems } = await judge("0", scenario, revision);

    assert.equal(passed, 0);
    assert.ok(problems.includes("No check succeeded"), problems.join("\\n"));
  });
}

test("a client that ends with an error is told of where the referee lets it pass", async () => {
  const { problems } = await judge("process.exitCode=3", "auth/scope-retry-limit", "2025-11-25");

  assert.ok(problems.includes("Client exited with code 3"), problems.join("\\n"));
});

test("a scenario that the referee does not know has no result", async () => {
  const { problems } = await judge("0", "nothing-of-that-name", "2025-11-25");

  assert.match(problems.join("\\n"), /^No result/);
});

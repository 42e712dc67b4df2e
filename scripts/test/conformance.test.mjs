import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVER_SCENARIOS } from "../conformance-scenarios.mjs";
import { judgeChecks } from "../conformance-verdict.mjs";

test("a scenario passes when a check succeeds and none complains", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "SKIPPED" },
    { id: "c", status: "INFO" },
  ];

  assert.deepEqual(judgeChecks(checks), { passed: 1, problems: [] });
});

test("a warning fails the scenario", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "WARNING", errorMessage: "late" },
  ];

  assert.deepEqual(judgeChecks(checks).problems, ["WARNING b: late"]);
});

test("a failure fails the scenario", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "FAILURE", description: "answers" },
  ];

  assert.deepEqual(judgeChecks(checks).problems, ["FAILURE b: answers"]);
});

test("a scenario in which nothing was checked fails", () => {
  assert.equal(judgeChecks([{ id: "a", status: "SKIPPED" }]).problems.length, 1);
});

test("no scenario is listed twice for a revision", () => {
  for (const names of Object.values(SERVER_SCENARIOS)) assert.equal(new Set(names).size, names.length);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { readScenarioFolder, readServerScenarios } from "../conformance-scenarios.mjs";
import { judgeChecks } from "../conformance-verdict.mjs";

test("a scenario passes when a check succeeds and none complains", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "INFO" },
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

test("a check that skipped itself fails the scenario", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "SKIPPED", description: "needs a session" },
  ];

  assert.deepEqual(judgeChecks(checks).problems, ["SKIPPED b: needs a session"]);
});

test("a scenario in which nothing was checked fails", () => {
  assert.equal(judgeChecks([{ id: "a", status: "INFO" }]).problems.length, 1);
});

const LISTED = `Required for 2026-07-28 (4 scenarios):

Server scenarios (test against a server):
  - tools-list
  - ping [2025-11-25]
  - tasks-lifecycle [extension]

Client scenarios (test against a client):
  - initialize

Run and reported, but never scored:
  extension (2):
    - sep-2640-skills-manifest [server]
  pending (2):
    - auth/dpop [client]
    - server-sse-polling [server]
`;

test("the scenarios of a server are listed, scored or not, without those of extensions", () => {
  assert.deepEqual(readServerScenarios(LISTED), ["tools-list", "ping", "server-sse-polling"]);
});

test("a folder of results tells its scenario", () => {
  assert.equal(readScenarioFolder("server-server-sse-polling-2026-11-30T17-06-14-662Z"), "server-sse-polling");
  assert.equal(readScenarioFolder("summary"), undefined);
});

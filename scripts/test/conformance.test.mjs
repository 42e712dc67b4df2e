import assert from "node:assert/strict";
import { test } from "node:test";
import { CLIENT_CHECKS, CLIENT_SKIPS } from "../conformance-expected.mjs";
import { isJudged, readClientFolder, readScenarios, readServerFolder } from "../conformance-scenarios.mjs";
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

test("a check that may skip itself does not fail the scenario, any other does", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", name: "B1", status: "SKIPPED" },
    { id: "b", name: "B2", status: "SKIPPED" },
  ];

  assert.deepEqual(judgeChecks(checks, { skips: ["B1", "B2"] }).problems, []);
  assert.deepEqual(judgeChecks(checks, { skips: ["B1"] }).problems, ["SKIPPED b:"]);
});

test("a check that fails is a problem even where it may skip itself", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", name: "B", status: "WARNING" },
  ];

  assert.deepEqual(judgeChecks(checks, { skips: ["B"] }).problems, ["WARNING b:"]);
});

test("a scenario in which fewer checks succeed than a right client makes fails", () => {
  const checks = [
    { id: "a", status: "SUCCESS" },
    { id: "b", status: "INFO" },
  ];

  assert.deepEqual(judgeChecks(checks, { least: 1 }).problems, []);
  assert.equal(judgeChecks(checks, { least: 2 }).problems.length, 1);
});

test("a check that is repeated counts once", () => {
  const checks = [
    { id: "a", name: "A", status: "SUCCESS" },
    { id: "a", name: "A", status: "SUCCESS" },
    { id: "a", name: "B", status: "SUCCESS" },
  ];

  assert.equal(judgeChecks(checks).passed, 2);
});

test("every scenario expects a check of the client that succeeds, and skips are of scenarios that there are", () => {
  const counts = Object.values(CLIENT_CHECKS).flatMap((revisions) => Object.values(revisions));

  assert.ok(counts.length > 0 && counts.every((count) => count > 0));
  assert.deepEqual(
    Object.keys(CLIENT_SKIPS).filter((name) => !Object.hasOwn(CLIENT_CHECKS, name)),
    [],
  );
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

test("the scenarios of one side are listed, scored or not", () => {
  const server = ["tools-list", "ping", "tasks-lifecycle", "sep-2640-skills-manifest", "server-sse-polling"];

  assert.deepEqual(readScenarios(LISTED, "server"), server);
  assert.deepEqual(readScenarios(LISTED, "client"), ["initialize", "auth/dpop"]);
});

test("scenarios of extensions that the server does not speak are not judged", () => {
  const judged = readScenarios(LISTED, "server").filter(isJudged);

  assert.deepEqual(judged, ["tools-list", "ping", "server-sse-polling"]);
});

test("a folder of results tells its scenario", () => {
  assert.equal(readServerFolder("server-server-sse-polling-2026-11-30T17-06-14-662Z"), "server-sse-polling");
  assert.equal(readServerFolder("summary"), undefined);
  assert.equal(readClientFolder("auth/metadata-default-2026-11-30T17-06-14-662Z"), "auth/metadata-default");
  assert.equal(readClientFolder("auth"), undefined);
});

import { MCPTimeoutError, MortiseError } from "@mortise/client";
import { expect, test } from "vitest";
import { explainNoise, explainProcessFailure, type ProcessAttempt } from "../../src/doctor/explain-process.js";

const ATTEMPT: ProcessAttempt = { command: "node", args: ["server.js"], env: {}, stderr: "", noise: [] };
const ENDED = new MortiseError("connection_closed", "MCP server process 'x' exited (code 1)");

function explain(error: unknown, attempt: Partial<ProcessAttempt>): string {
  const { text, hint } = explainProcessFailure(error, { ...ATTEMPT, ...attempt });
  return `${text}. ${hint}`;
}

test("no answer in time may be a download that goes on, where the command downloads", () => {
  const late = new MCPTimeoutError("late", { timeoutMs: 30_000 });

  expect(explain(late, { command: "npx" })).toMatch(/within 30 s.*downloading/);
  expect(explain(late, {})).not.toContain("downloading");
});

test.each([
  ["npm error code E404", "no package of that name"],
  ["Error: Cannot find module '/x/server.js'", "is missing"],
  ["npm error could not determine executable to run", "name the command"],
  ["Error: MY_API_KEY is required, see E_WRONG", "--env MY_API_KEY before"],
  ["it just does not work", "in a terminal"],
  ["", "said nothing"],
])("an end after %j is told with what to do", (stderr, expected) => {
  expect(explain(ENDED, { stderr })).toContain(expected);
});

test("a variable that was given is not said to be missing", () => {
  expect(explain(ENDED, { stderr: "MY_API_KEY is wrong", env: { MY_API_KEY: "k" } })).not.toContain("--env");
});

test("a command with all its arguments in one word is told apart from one that is not there", () => {
  const error = new MortiseError("connection_failed", "command not found");

  expect(explain(error, { command: "npx -y thing", args: [] })).toContain("words of their own");
  expect(explain(error, { command: "npx" })).toContain("Install Node");
});

test("long lines are cut", () => {
  expect(explainNoise(["x".repeat(10_000)]).details?.[0]?.length).toBeLessThan(400);
});

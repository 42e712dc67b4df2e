import { expect, test } from "vitest";
import { examineRegex, type RegexProposal } from "../../src/regex/examine-regex.js";

const NEVER = new AbortController().signal;

function propose(change: Partial<RegexProposal>): RegexProposal {
  return { pattern: "^a$", flags: "", explanation: "One a", matches: ["a"], nonMatches: ["b"], ...change };
}

test("verifies an expression whose examples all come out as they should", async () => {
  const { verified, problem, checks } = await examineRegex(propose({}), "TypeScript", NEVER);

  expect({ verified, problem }).toEqual({ verified: true, problem: undefined });
  expect(checks).toEqual([
    { text: "a", expected: "match", outcome: "match", matched: "a" },
    { text: "b", expected: "no match", outcome: "no match" },
  ]);
});

test("names each example that comes out otherwise", async () => {
  const proposal = propose({ matches: ["c"], nonMatches: ["a"] });

  const { verified, problem } = await examineRegex(proposal, "javascript", NEVER);

  expect(verified).toBe(false);
  expect(problem).toMatch(/"c".*"matches".*"a".*"nonMatches"/);
});

test("does not say of another language that its engine ran", async () => {
  const { verified, problem, checks } = await examineRegex(propose({ pattern: "(?P<x>a)" }), "python", NEVER);

  expect({ verified, problem }).toEqual({ verified: false, problem: undefined });
  expect(checks.map(({ outcome }) => outcome)).toEqual(["match", "no match"]);
});

test("says that nothing was run where only the language's own engine could", async () => {
  const { verified, checks } = await examineRegex(propose({ pattern: "(?>a)" }), "pcre", NEVER);

  expect(verified).toBe(false);
  expect(checks.map(({ outcome }) => outcome)).toEqual(["not run", "not run"]);
});

test.each([
  ["go", "(?=a)a"],
  ["Rust", "(a)\\1"],
  ["python", "(?<x>a)"],
  ["Go 1.24", "(?!b)a"],
])("knows what the engine of %s refuses", async (language, pattern) => {
  const { problem } = await examineRegex(propose({ pattern }), language, NEVER);

  expect(problem).toBeDefined();
});

test("reports an expression that cannot be read", async () => {
  const { verified, problem } = await examineRegex(propose({ pattern: "(" }), "javascript", NEVER);

  expect(verified).toBe(false);
  expect(problem).toContain("cannot be read");
});

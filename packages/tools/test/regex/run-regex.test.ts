import { expect, test } from "vitest";
import { runRegex } from "../../src/regex/run-regex.js";

const NEVER = new AbortController().signal;

test("tells what was matched in each text", async () => {
  const outcomes = await runRegex({ pattern: "\\d+", flags: "" }, ["order 42", "none", ""], NEVER);

  expect(outcomes).toEqual([{ outcome: "match", matched: "42" }, { outcome: "no match" }, { outcome: "no match" }]);
});

test("starts anew with each text, whatever the flags say", async () => {
  const outcomes = await runRegex({ pattern: "a", flags: "gy" }, ["ab", "ab"], NEVER);

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["match", "match"]);
});

test("ends an expression that backtracks for ever, and keeps what was found before", async () => {
  const texts = ["aaa", `${"a".repeat(40)}b`, "a"];

  const outcomes = await runRegex({ pattern: "^(a+)+$", flags: "" }, texts, NEVER);

  expect(outcomes.map(({ outcome }) => outcome)).toEqual(["match", "timed out", "not run"]);
});

test("ends at once when the caller gives up", async () => {
  const caller = new AbortController();
  const running = runRegex({ pattern: "^(a+)+$", flags: "" }, [`${"a".repeat(40)}b`], caller.signal);

  caller.abort(new Error("given up"));

  await expect(running).rejects.toThrow("given up");
});

test("refuses what is no expression", async () => {
  await expect(runRegex({ pattern: "(", flags: "" }, ["a"], NEVER)).rejects.toBeInstanceOf(SyntaxError);
});

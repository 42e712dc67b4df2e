import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

const ANSWER = {
  pattern: "^a+$",
  flags: "i",
  explanation: "Letters a.",
  matches: ["aaa"],
  nonMatches: ["b"],
};

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test("tells the model which example came out wrong", async () => {
  fake.script({ text: JSON.stringify({ ...ANSWER, nonMatches: ["Aaa"] }) }, { text: JSON.stringify(ANSWER) });

  const called = await callTool("generate_regex", { description: "Letters a" }, { env: fake.env("anthropic") });

  expect(called.structured).toMatchObject({ pattern: "^a+$", verified: true });
  expect(fake.requests[1]?.text).toMatch(/Aaa.*nonMatches/);
});

test("ends an expression that backtracks for ever, and gives it up when the next one does, too", async () => {
  fake.script({ text: JSON.stringify({ ...ANSWER, pattern: "^(a+)+$", nonMatches: [`${"a".repeat(40)}b`] }) });

  const called = await callTool("generate_regex", { description: "Letters a" }, { env: fake.env("groq") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("backtracks");
});

test("warns of an expression that is right and can take for ever on other text", async () => {
  fake.script({ text: JSON.stringify({ ...ANSWER, pattern: "^(a+)+$" }) });

  const called = await callTool("generate_regex", { description: "Letters a" }, { env: fake.env("groq") });

  expect(called.structured).toMatchObject({ verified: true, verification: expect.stringContaining("strangers") });
});

test("says of another language what was run, and is not verified by it", async () => {
  fake.script({ text: JSON.stringify({ ...ANSWER, pattern: "(?P<all>^a+$)" }) });

  const called = await callTool(
    "generate_regex",
    { description: "Letters a", language: "python" },
    { env: fake.env("groq") },
  );

  expect(called.structured).toMatchObject({
    pattern: "(?P<all>^a+$)",
    verified: false,
    verification: expect.stringContaining("python"),
    checks: [{ outcome: "match" }, { outcome: "no match" }],
  });
});

test("does not pass off flags that JavaScript does not have", async () => {
  fake.script({ text: JSON.stringify({ ...ANSWER, flags: "x" }) });

  const called = await callTool("generate_regex", { description: "Letters a" }, { env: fake.env("groq") });

  expect(called.isError).toBe(true);
});

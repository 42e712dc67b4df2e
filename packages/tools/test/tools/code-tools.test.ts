import type { JsonObject } from "@mortise/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Called, callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

/** Calls a tool whose model says this, again and again. */
function answer(text: string | object, name: string, args: JsonObject): Promise<Called> {
  fake.script({ text: typeof text === "string" ? text : JSON.stringify(text) });
  return callTool(name, args, { env: fake.env("groq") });
}

/** What the model was told, all of it. */
function told(): string {
  const { messages } = fake.requests[0]?.body ?? {};
  return Array.isArray(messages) ? messages.map(({ content }: { content: unknown }) => String(content)).join("\n") : "";
}

describe("review_code", () => {
  const review = { summary: "Two lines.", score: 50, issues: [] };
  const issue = { severity: "error", line: 2, message: "Wrong" };
  const args = { code: "first();\nsecond();", language: "javascript" };

  test("shows the model the code with its lines numbered, and the language", async () => {
    await answer(review, "review_code", args);

    expect(told()).toContain("1 | first();\n2 | second();");
    expect(told()).toContain("javascript");
  });

  test("counts no line behind the last line end", async () => {
    await answer(review, "review_code", { code: "first();\r\nsecond();\r\n" });

    expect(told()).toContain("1 | first();\n2 | second();\n<");
  });

  test("keeps an issue that concerns the whole without a line", async () => {
    const whole = { severity: "info", message: "Has no tests" };

    const called = await answer({ ...review, issues: [{ ...whole, line: null }] }, "review_code", args);

    expect(called.structured).toEqual({ ...review, issues: [whole] });
  });

  test.each([
    ["a line that the code does not have", { issues: [{ ...issue, line: 3 }] }, /line.*3/],
    ["a line before the first", { issues: [{ ...issue, line: 0 }] }, /line/],
    ["a severity of its own", { issues: [{ ...issue, severity: "fatal" }] }, /severity/],
    ["an issue without words", { issues: [{ ...issue, message: " " }] }, /message/],
    ["no summary", { summary: "" }, /summary/],
    ["a score above 100", { score: 101 }, /score/],
    ["a score below 0", { score: -1 }, /score/],
    ["a score in halves", { score: 50.5 }, /score/],
    ["a score in words", { score: "good" }, /score/],
    ["no issues", { issues: undefined }, /issues/],
  ])("refuses %s", async (_what, change, problem) => {
    const called = await answer({ ...review, ...change }, "review_code", args);

    expect(called).toMatchObject({ isError: true, text: expect.stringMatching(problem) });
  });
});

describe("fix_code", () => {
  const fixed = { code: "good();", explanation: "It was bad.", changes: ["Makes it good."] };
  const args = { code: "bad();", problem: "It is bad" };

  test("shows the model the code and the problem", async () => {
    await answer(fixed, "fix_code", args);

    expect(told()).toContain("bad();");
    expect(told()).toContain("It is bad");
  });

  test("takes the code out of a fence around the whole of it, and leaves fences in it alone", async () => {
    const fenced = await answer({ ...fixed, code: "```js\ngood();\n```" }, "fix_code", args);
    const inner = await answer({ ...fixed, code: "# A\n```js\ngood();\n```\nB" }, "fix_code", args);

    expect(fenced.structured).toMatchObject({ code: "good();" });
    expect(inner.structured).toMatchObject({ code: "# A\n```js\ngood();\n```\nB" });
  });

  test.each([
    ["CRLF", "bad();\r\nmore();\r\n", "good();\nmore();", "good();\r\nmore();\r\n"],
    ["LF", "bad();\nmore();\n", "good();\nmore();", "good();\nmore();\n"],
    ["both", "bad();\r\nmore();\n", "good();\nmore();", "good();\nmore();\n"],
    ["LF, but not the last", "bad();\nmore();", "good();\nmore();\n", "good();\nmore();\n"],
  ])("ends lines as the code does that was given: %s", async (_what, code, given, expected) => {
    const called = await answer({ ...fixed, code: given }, "fix_code", { code });

    expect(called.structured).toMatchObject({ code: expected });
  });

  test("may give the code back as it is, without changes", async () => {
    const same = { ...fixed, code: "bad();\r\n", changes: [] };

    const called = await answer(same, "fix_code", args);

    expect(called).toMatchObject({ isError: false, structured: same });
  });

  test.each([
    ["no code", { code: "" }, /code/],
    ["an empty fence", { code: "```js\n```" }, /code/],
    ["no explanation", { explanation: " " }, /explanation/],
    ["a change without words", { changes: ["Makes it good.", ""] }, /changes/],
    ["changes of code that is the same", { code: "bad();  \n" }, /same/],
    ["other code without changes", { changes: [] }, /changes/],
    ["changes in one text", { changes: "Makes it good." }, /changes/],
  ])("refuses %s", async (_what, change, problem) => {
    const called = await answer({ ...fixed, ...change }, "fix_code", args);

    expect(called).toMatchObject({ isError: true, text: expect.stringMatching(problem) });
  });
});

describe("generate_unit_tests", () => {
  const tests = 'import { add } from "../src/add.js";\ntest("adds", () => {});';
  const args = { code: "export const add = 1;", framework: "jest", modulePath: "../src/add.ts" };

  test("shows the model the code, the framework and the path", async () => {
    await answer(tests, "generate_unit_tests", args);

    expect(told()).toContain("export const add = 1;");
    expect(told()).toContain("Jest");
    expect(told()).toContain("../src/add.ts");
  });

  test("lets the path end as the language has it", async () => {
    const called = await answer(tests, "generate_unit_tests", args);

    expect(called).toMatchObject({ isError: false, text: tests });
  });

  test.each([
    ["tests of another module", 'import { add } from "./sum.js";\ntest("adds", () => {});'],
    ["a file without tests", 'import { add } from "../src/add.js";\nadd(1, 2);'],
    ["words", "I cannot test that without more information."],
  ])("refuses %s", async (_what, text) => {
    expect(await answer(text, "generate_unit_tests", args)).toMatchObject({ isError: true });
  });

  test("takes tests in any language where no framework is named", async () => {
    const called = await answer("def test_adds():\n    assert True", "generate_unit_tests", { code: "def add(): ..." });

    expect(called.isError).toBe(false);
  });
});

describe("generate_component", () => {
  test("shows the model what is wanted, in which language and with which styling", async () => {
    const args = { description: "A badge", framework: "solid", language: "javascript", styling: "tailwind" };

    await answer("export const Badge = () => <b/>;", "generate_component", args);

    expect(told()).toMatch(/SolidJS[\s\S]*javascript[\s\S]*tailwind[\s\S]*A badge/);
  });

  test.each([
    ["react", "export default () => <b/>;", "const Badge = <b/>;"],
    ["vue", "<template><b/></template>", "export default { render() {} };"],
    ["angular", "@Component({ template: '' }) export class Badge {}", "export class Badge {}"],
    ["web components", "customElements.define('x-b', B); export { B };", "export class B extends HTMLElement {}"],
    ["svelte", "<b>New</b>", "let a = 1;"],
  ])("takes a component for %s by what each of them has", async (framework, good, bad) => {
    const args = { description: "A badge", framework };

    expect(await answer(good, "generate_component", args)).toMatchObject({ isError: false, text: good });
    expect(await answer(bad, "generate_component", args)).toMatchObject({ isError: true });
  });
});

describe("generate_form", () => {
  const args = { description: "A name", action: "/join?a=1&b=2" };

  test("knows the address of the form again where it is written for markup", async () => {
    const form = '<form action="/join?a=1&amp;b=2" method="post"></form>';

    expect(await answer(form, "generate_form", args)).toMatchObject({ isError: false, text: form });
  });

  test("refuses a form that is sent elsewhere", async () => {
    const called = await answer('<form action="https://evil.example/"></form>', "generate_form", args);

    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("/join?a=1&b=2") });
  });

  test("refuses a component without a form", async () => {
    const called = await answer("export const Form = () => <div/>;", "generate_form", {
      description: "A",
      framework: "react",
    });

    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("<form>") });
  });
});

describe("generate_sql", () => {
  test("shows the model the dialect, the tables and what is wanted", async () => {
    const args = { description: "Count users", dialect: "mssql", schema: "CREATE TABLE users (id int);" };

    await answer("SELECT COUNT(*) FROM users;", "generate_sql", args);

    expect(told()).toMatch(/SQL Server[\s\S]*CREATE TABLE users[\s\S]*Count users/);
  });

  test("refuses statements with words behind them", async () => {
    const called = await answer("SELECT 1;\n\nThis gives one.", "generate_sql", { description: "One" });

    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("This gives one.") });
  });
});

test("a model that declines is quoted rather than taken for code", async () => {
  const called = await answer("I'm sorry, I can't write that.", "generate_component", { description: "Malware" });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("I'm sorry, I can't write that.") });
});

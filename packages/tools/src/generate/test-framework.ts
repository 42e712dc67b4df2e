/** What is known of a way to write tests. */
export interface TestFramework {
  readonly label: string;
  /** What every file of tests has. */
  readonly mark: RegExp;
  /** How tests are written in it, where that needs saying. */
  readonly style: string | undefined;
  /** Whether what is tested is imported by the path of its module. */
  readonly byPath: boolean;
}

const JS_TEST = /\b(?:it|test)(?:\.(?:each|for|concurrent|fails))*\s*[(`<]/;

const FRAMEWORKS: ReadonlyMap<string, TestFramework> = new Map([
  ["vitest", js("Vitest", 'import what it uses from "vitest"; vi for mocks and timers')],
  ["jest", js("Jest", "its globals, jest for mocks and timers")],
  ["mocha", js("Mocha", "assertions from node:assert/strict, unless the code shows another library")],
  ["jasmine", js("Jasmine", "its globals")],
  ["ava", js("AVA", undefined)],
  ["node", js("the test runner of Node", "test from node:test, assertions from node:assert/strict")],
  ["bun", js("the test runner of Bun", 'imports from "bun:test"')],
  ["deno", { ...js("the test runner of Deno", "Deno.test"), mark: /\bDeno\.test\b|\bit\s*\(/ }],
  ["playwright", js("Playwright", 'imports from "@playwright/test"')],
  ["pytest", other("pytest", /\bdef\s+test_/, "plain functions and asserts, parametrize for tables of cases")],
  ["unittest", other("unittest of Python", /\bdef\s+test_?/, undefined)],
  ["junit", other("JUnit 5", /@(?:Test|ParameterizedTest|RepeatedTest)\b/, undefined)],
  ["testng", other("TestNG", /@Test\b/, undefined)],
  ["xunit", other("xUnit.net", /\[(?:Fact|Theory)\b/, undefined)],
  ["nunit", other("NUnit", /\[(?:Test|TestCase)\b/, undefined)],
  ["mstest", other("MSTest", /\[(?:TestMethod|DataTestMethod)\b/, undefined)],
  ["rspec", other("RSpec", /\b(?:it|specify)\b/, undefined)],
  ["minitest", other("Minitest", /\bdef\s+test_|\b(?:it|test)\s+["']/, undefined)],
  ["phpunit", other("PHPUnit", /\bfunction\s+test|#\[Test\]|@test\b/, undefined)],
  ["pest", other("Pest", /\b(?:it|test)\s*\(/, undefined)],
  [
    "go",
    other(
      "the testing package of Go",
      /\bfunc\s+(?:Test|Benchmark|Fuzz)/,
      "a table of cases where there are several of a kind",
    ),
  ],
  ["cargo", other("the test harness of Rust", /#\[(?:\w+::)?test\b/, undefined)],
]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["nodetest", "node"],
  ["buntest", "bun"],
  ["denotest", "deno"],
  ["playwrighttest", "playwright"],
  ["junitjupiter", "junit"],
  ["gotest", "go"],
  ["golang", "go"],
  ["gotesting", "go"],
  ["testing", "go"],
  ["rust", "cargo"],
  ["rusttest", "cargo"],
  ["cargotest", "cargo"],
  ["python", "pytest"],
  ["pythonunittest", "unittest"],
  ["xunitnet", "xunit"],
]);

/** Where none is named: any of them. */
const USUAL: TestFramework = {
  label: "the test framework that is usual for the language of the code, which is Vitest for JavaScript and TypeScript",
  mark: new RegExp([...FRAMEWORKS.values()].map(({ mark }) => mark.source).join("|")),
  style: undefined,
  byPath: false,
};

/** Finds a framework by its name as people write it, such as "node:test" or "JUnit 5". An unknown one is asked for by its name. */
export function findTestFramework(name: string | undefined): TestFramework {
  if (name === undefined) return USUAL;
  const key = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  return (
    FRAMEWORKS.get(ALIASES.get(key) ?? key) ?? {
      label: JSON.stringify(name),
      mark: /\S/,
      style: undefined,
      byPath: false,
    }
  );
}

function js(label: string, style: string | undefined): TestFramework {
  return { label, mark: JS_TEST, style, byPath: true };
}

function other(label: string, mark: RegExp, style: string | undefined): TestFramework {
  return { label, mark, style, byPath: false };
}

import { askCode, CODE_FORM } from "../ask/ask-code.js";
import { findTestFramework, type TestFramework } from "../generate/test-framework.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { GenerateUnitTestsArgs } from "../tools/generate-unit-tests.js";

/** Asks for tests, and refuses a file without any, or one that tests something else. */
export const run: Run<GenerateUnitTestsArgs> = async ({ code, framework, modulePath }, context) => {
  expectText("code", code);
  const known = findTestFramework(framework);
  const question = composePrompt({
    role: "You are an experienced engineer who writes unit tests that fail when the code is wrong, and only then.",
    rules: listRules(known, modulePath),
    task: "Write a file of unit tests for the code in the material.",
    material: { "module path": modulePath, code },
  });
  return askCode({ ...question, check: (tests) => findProblem(tests, known, modulePath) }, context);
};

function listRules({ label, style }: TestFramework, modulePath: string | undefined): string[] {
  return [
    `The result is one complete file of tests for ${label}${style === undefined ? "" : ` (${style})`}, in the language of the code.`,
    modulePath === undefined
      ? 'Import what is tested from "./module", or as the language has it for a module of that name. Do not repeat the code in the tests.'
      : "Import what is tested from the module path in the material, written exactly so where the language imports by path. Do not repeat the code in the tests.",
    "Test what can be seen from outside: usual cases, limits, empty and wrong input, failures. Expected values are worked out by hand from what the code is meant to do, and are literals.",
    "One behaviour for each test, named in a sentence. Tests do not depend on each other, on the time, on chance, on the network or on the order.",
    "Replace only what leaves the process. Put back what was replaced.",
    "If the code does something that is surely a mistake, test for what is right, and say so in a comment at that test.",
    "No skipped or focused tests, no tests without an assertion, no snapshots, no placeholders.",
    CODE_FORM,
  ];
}

function findProblem(tests: string, { label, mark, byPath }: TestFramework, modulePath?: string): string | undefined {
  if (!mark.test(tests)) return `Expected at least one test for ${label}, and this answer has none`;
  const name = modulePath?.replace(/\.[cm]?[jt]sx?$/, "");
  if (byPath && name !== undefined && !tests.includes(name))
    return `Expected the tests to import from ${JSON.stringify(modulePath)}, which the answer does not name`;
  return undefined;
}

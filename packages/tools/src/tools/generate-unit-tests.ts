import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_unit_tests`. */
export interface GenerateUnitTestsArgs {
  readonly code: string;
  readonly framework?: string | undefined;
  readonly modulePath?: string | undefined;
}

/** Writes tests for code. */
export const GENERATE_UNIT_TESTS: ToolSpec<GenerateUnitTestsArgs> = {
  name: "generate_unit_tests",
  title: "Generate unit tests",
  description:
    "Writes a file of unit tests for code: usual cases, limits and failures, in the framework you name. Gives the file's code alone; nothing is run or written. Run the tests: one that fails is a mistake in the test or in the code.",
  input: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: 400_000, description: "The code to test, whole" },
      framework: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description:
          'Such as "vitest", "jest", "node:test", "mocha", "pytest", "junit", "go" or "rspec". Default: the usual one of the language, Vitest for JavaScript and TypeScript',
      },
      modulePath: {
        type: "string",
        minLength: 1,
        maxLength: 1000,
        description:
          'What the tests import the code from, such as "../src/cart.js". Default: "./module", to be changed',
      },
    },
    required: ["code"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-unit-tests.js"),
};

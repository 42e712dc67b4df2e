import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createValidator, type Validate } from "../../src/json-schema.js";
import { DRAFT_07_CASES, FORMAT_CASES } from "./dialect-cases.js";
import { judge } from "./judge.js";
import { KEYWORD_CASES } from "./keyword-cases.js";
import { BUILT_IN_NAME_CASES, ODD_NAME_CASES } from "./name-cases.js";
import { REFERENCE_CASES, UNEVALUATED_CASES } from "./reference-cases.js";

const GROUPS = [
  ["keywords", KEYWORD_CASES],
  ["references", REFERENCE_CASES],
  ["what is left over", UNEVALUATED_CASES],
  ["formats", FORMAT_CASES],
  ["names of built-in members", BUILT_IN_NAME_CASES],
  ["names that need quoting", ODD_NAME_CASES],
  ["draft-07", DRAFT_07_CASES],
] as const;

describe.each(GROUPS)("compiled: %s", (_group, cases) => {
  test.each(cases)("$title", ({ schema, accepts, refuses }) => {
    const validate = createValidator(schema);

    expect(accepts.filter((value) => !validate(value).ok)).toEqual([]);
    expect(refuses.filter((value) => validate(value).ok)).toEqual([]);
  });
});

describe("where code generation is forbidden", () => {
  let create: (schema: Record<string, unknown>) => Validate;

  beforeAll(async () => {
    vi.resetModules();
    vi.stubGlobal("Function", function forbidden() {
      throw new EvalError("Code generation from strings disallowed for this context");
    });
    ({ createValidator: create } = await import("../../src/json-schema.js"));
    create({ type: "object" });
  });

  afterAll(() => {
    vi.unstubAllGlobals();
  });

  describe.each(GROUPS)("interpreted: %s", (_group, cases) => {
    test.each(cases)("$title", ({ schema, accepts, refuses }) => {
      const validate = create(schema);

      expect(accepts.filter((value) => !validate(value).ok)).toEqual([]);
      expect(refuses.filter((value) => validate(value).ok)).toEqual([]);
    });
  });
});

const JUDGED = [...KEYWORD_CASES, ...REFERENCE_CASES, ...UNEVALUATED_CASES];

/** Where the judge is known to be wrong. */
const MISJUDGED: ReadonlySet<string> = new Set(["unevaluatedItems after contains"]);

test.each(JUDGED.filter(({ title }) => !MISJUDGED.has(title)))(
  "an independent validator agrees: $title",
  ({ schema, accepts, refuses }) => {
    const verdict = judge(schema);

    expect(accepts.filter((value) => !verdict(value))).toEqual([]);
    expect(refuses.filter((value) => verdict(value))).toEqual([]);
  },
);

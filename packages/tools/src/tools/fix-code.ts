import { FIXED_CODE_SCHEMA } from "../code-fix/fixed-code.js";
import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `fix_code`. */
export interface FixCodeArgs {
  readonly code: string;
  readonly problem?: string | undefined;
  readonly language?: string | undefined;
}

/** Mends code. */
export const FIX_CODE: ToolSpec<FixCodeArgs> = {
  name: "fix_code",
  title: "Fix code",
  description:
    "Has another model fix code: the whole corrected code, an explanation, and the list of changes. The code is not run and no file is written: check the result before you use it. Say in `problem` what goes wrong, with the error message if there is one.",
  input: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: 400_000, description: "The code to fix, whole" },
      problem: {
        type: "string",
        minLength: 1,
        maxLength: 100_000,
        description:
          "What goes wrong: an error message, a failing test, or a description. Default: whatever is wrong with it",
      },
      language: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: 'The language of the code, such as "python". Default: told from the code',
      },
    },
    required: ["code"],
    additionalProperties: false,
  },
  output: FIXED_CODE_SCHEMA,
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/fix-code.js"),
};

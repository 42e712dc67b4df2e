import { REVIEW_SCHEMA } from "../review/review.js";
import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `review_code`. */
export interface ReviewCodeArgs {
  readonly code: string;
  readonly language?: string | undefined;
}

/** Judges code. */
export const REVIEW_CODE: ToolSpec<ReviewCodeArgs> = {
  name: "review_code",
  title: "Review code",
  description:
    "Has another model review code: a summary, a score from 0 to 100, and the issues it found with severity, line and message. The code is read, not run. Give whole files or functions rather than fragments.",
  input: {
    type: "object",
    properties: {
      code: { type: "string", minLength: 1, maxLength: 400_000, description: "The code to review" },
      language: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: 'The language of the code, such as "typescript". Default: told from the code',
      },
    },
    required: ["code"],
    additionalProperties: false,
  },
  output: REVIEW_SCHEMA,
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/review-code.js"),
};

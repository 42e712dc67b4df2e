import type { JsonObject } from "@mortise/core";

/** One thing that a review found. */
export interface ReviewIssue {
  readonly severity: "error" | "warning" | "info";
  /** The first line it concerns, counted from 1; absent where it concerns the whole. */
  readonly line?: number | undefined;
  readonly message: string;
}

/** What a review gives. */
export interface Review {
  readonly summary: string;
  /** From 0 to 100. */
  readonly score: number;
  readonly issues: readonly ReviewIssue[];
}

/** JSON Schema of a `Review`. */
export const REVIEW_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    summary: { type: "string", description: "What the code does and how good it is, in two or three sentences" },
    score: {
      type: "integer",
      minimum: 0,
      maximum: 100,
      description: "100 is code in which there is nothing to improve",
    },
    issues: {
      type: "array",
      description: "What was found, the most serious first; empty if there is nothing",
      items: {
        type: "object",
        properties: {
          severity: {
            type: "string",
            enum: ["error", "warning", "info"],
            description: "error: wrong or unsafe; warning: likely to cause trouble; info: could be better",
          },
          line: {
            type: "integer",
            minimum: 1,
            description: "The first line it concerns, counted from 1; left out where it concerns the whole",
          },
          message: { type: "string", description: "What is wrong, why, and how to mend it" },
        },
        required: ["severity", "message"],
        additionalProperties: false,
      },
    },
  },
  required: ["summary", "score", "issues"],
  additionalProperties: false,
};

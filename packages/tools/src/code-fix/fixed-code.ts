import type { JsonObject } from "@mortise/core";

/** What a fix gives. */
export interface FixedCode {
  /** The whole code after the fix. */
  readonly code: string;
  readonly explanation: string;
  /** What was changed, one sentence each; empty where nothing was. */
  readonly changes: readonly string[];
}

/** JSON Schema of `FixedCode`. */
export const FIXED_CODE_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    code: { type: "string", description: "The whole code after the fix, without a code fence" },
    explanation: { type: "string", description: "What was wrong, why it happened, and how the fix ends it" },
    changes: {
      type: "array",
      items: { type: "string" },
      description: "What was changed, one sentence for each change; empty if nothing was",
    },
  },
  required: ["code", "explanation", "changes"],
  additionalProperties: false,
};

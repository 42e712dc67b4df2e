import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_regex`. */
export interface GenerateRegexArgs {
  readonly description: string;
  readonly language?: string | undefined;
}

const EXAMPLES = { type: "array", items: { type: "string" } } as const;

/** Writes a regular expression, and runs it. */
export const GENERATE_REGEX: ToolSpec<GenerateRegexArgs> = {
  name: "generate_regex",
  title: "Generate a regular expression",
  description:
    "Writes a regular expression from a description, with examples that it matches and examples that it does not match. The expression is really run on all of them, within a time limit, and the result says what happened.",
  input: {
    type: "object",
    properties: {
      description: {
        type: "string",
        minLength: 1,
        maxLength: 20_000,
        description: "What the expression is to match. Examples of what it must and must not match help",
      },
      language: {
        type: "string",
        minLength: 1,
        maxLength: 40,
        description: 'The language or engine it is for, such as "python" or "pcre". Default: "javascript"',
      },
    },
    required: ["description"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      pattern: { type: "string", description: "The expression, without delimiters" },
      flags: { type: "string", description: 'Letters, such as "i"; empty for none' },
      explanation: { type: "string" },
      matches: { ...EXAMPLES, description: "Texts that it is to match" },
      nonMatches: { ...EXAMPLES, description: "Texts that it is not to match" },
      verified: {
        type: "boolean",
        description: "Whether the engine of the language ran it on every example, and each came out as it should",
      },
      verification: { type: "string", description: "What was run, and how it came out" },
      checks: {
        type: "array",
        description: "What happened with each example",
        items: {
          type: "object",
          properties: {
            text: { type: "string" },
            expected: { enum: ["match", "no match"] },
            outcome: { enum: ["match", "no match", "timed out", "not run"] },
            matched: { type: "string", description: "The part of the text that was matched" },
          },
          required: ["text", "expected", "outcome"],
        },
      },
    },
    required: ["pattern", "flags", "explanation", "matches", "nonMatches", "verified", "verification", "checks"],
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-regex.js"),
};

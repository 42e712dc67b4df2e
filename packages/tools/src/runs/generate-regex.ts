import type { JsonObject } from "@mortise/core";
import { createPatternChecker } from "@mortise/core/patterns";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import { examineRegex, type RegexExamination, type RegexProposal } from "../regex/examine-regex.js";
import { isJavaScript } from "../regex/translate-regex.js";
import type { Run } from "../tool-spec.js";
import type { GenerateRegexArgs } from "../tools/generate-regex.js";

const EXAMPLES = { type: "array", minItems: 1, maxItems: 12, items: { type: "string", maxLength: 2000 } } as const;

const ANSWER: JsonObject = {
  type: "object",
  properties: {
    pattern: { type: "string", minLength: 1, maxLength: 4000 },
    flags: { type: "string", maxLength: 8 },
    explanation: { type: "string", minLength: 1, maxLength: 4000 },
    matches: EXAMPLES,
    nonMatches: EXAMPLES,
  },
  required: ["pattern", "flags", "explanation", "matches", "nonMatches"],
  additionalProperties: false,
};

const HOSTILE = "On text of strangers it can take very long, so bound the length of what it is run on";

/** Asks for an expression with examples, and runs it on them; one that fails is asked for once more. */
export const run: Run<GenerateRegexArgs> = async ({ description, language = "javascript" }, context) => {
  expectText("description", description);
  const { ask, progress, signal } = context;
  let examined: RegexExamination | undefined;
  const proposal = await ask.json<RegexProposal>({
    ...composePrompt({
      role: "You are an expert in regular expressions. You write short, exact and fast ones.",
      rules: listRules(language),
      task: "Write a regular expression for what the material describes, with examples that prove it.",
      material: { description, language },
    }),
    schema: ANSWER,
    async check(value) {
      progress("Running the expression on its examples");
      examined = await examineRegex(value, language, signal);
      return examined.problem;
    },
  });
  const { pattern, flags, explanation, matches, nonMatches } = proposal;
  const { verified, verification, checks } = examined ?? (await examineRegex(proposal, language, signal));
  const safe = !isJavaScript(language) || createPatternChecker()(pattern);
  return {
    pattern,
    flags,
    explanation,
    matches,
    nonMatches,
    verified,
    verification: safe ? verification : `${verification}. ${HOSTILE}`,
    checks,
  };
};

function listRules(language: string): string[] {
  return [
    isJavaScript(language)
      ? 'Use the syntax of JavaScript. "flags" holds letters out of "dgimsuvy", or nothing.'
      : 'Use the syntax of the language that the material names. "flags" holds letters out of "imsx", or nothing; never write the flags into the pattern.',
    '"pattern" has no delimiters and no quotes around it. Escape for JSON once, and no more: the regex \\d is the JSON string "\\\\d".',
    "Each example is searched for the pattern, as RegExp.prototype.exec does: put ^ and $ around it where the whole text has to match.",
    'Give 3 to 8 "matches" and 3 to 8 "nonMatches", among them edge cases and near misses, and every example that the description gives.',
    "The expression is run on all examples. Make sure that it matches every one of the first list and none of the second.",
    "Avoid nested or overlapping repetition such as (a+)+, which can backtrack for ever.",
    '"explanation" says in plain words what each part does and what the expression does not cover.',
  ];
}

import { unwrapWhole } from "../ask/unwrap-code.js";
import { FIXED_CODE_SCHEMA, type FixedCode } from "../code-fix/fixed-code.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { FixCodeArgs } from "../tools/fix-code.js";

const ROLE = "You are an experienced engineer who mends code with the smallest change that is right.";

const RULES = [
  "Mend the cause, not the symptom: do not silence errors, weaken checks, skip tests or catch what nobody handles.",
  "Change nothing that has no part in the problem. Keep names, signatures, style, indentation, comments and dependencies, unless the problem is in them.",
  "The member code holds the whole code after the fix, ready to replace the old one: nothing left out, no placeholder such as “rest unchanged”, no code fence, no line numbers.",
  "The explanation says in two to four sentences what was wrong, why, and how the fix ends it. If something could only be guessed, it says what.",
  "The list changes has one sentence for each change in the code, and nothing that was not changed.",
  "If nothing is wrong, give the code back as it is, with an empty list, and say so in the explanation.",
];

/** Asks for the mended code, and refuses an answer whose changes do not go with its code. */
export const run: Run<FixCodeArgs> = async ({ code, problem, language }, { ask }) => {
  expectText("code", code);
  const { system, prompt } = composePrompt({
    role: ROLE,
    rules: RULES,
    task:
      problem === undefined
        ? "Find what is wrong with the code in the material, and fix it."
        : "Fix the problem that the material describes in the code of the material.",
    material: { language, problem, code },
  });
  const fixed = await ask.json<FixedCode>({
    system,
    prompt,
    schema: FIXED_CODE_SCHEMA,
    check: (answer) => findProblem(answer, code),
  });
  return { ...fixed, code: endLinesLike(code, unwrapWhole(fixed.code)) };
};

function findProblem({ code, explanation, changes }: FixedCode, before: string): string | undefined {
  const after = normalize(unwrapWhole(code));
  if (after === "") return 'Expected "code" to hold the whole code, received none';
  if (explanation.trim() === "") return 'Expected "explanation" to hold text';
  if (changes.some((change) => change.trim() === "")) return 'Expected every entry of "changes" to hold text';
  const same = after === normalize(before);
  if (same && changes.length > 0) return '"changes" names changes, but "code" is the same as before';
  if (!same && changes.length === 0) return '"code" differs from what was given, but "changes" is empty';
  return undefined;
}

/** Models write lines that end with LF, and forget the last end: put in place of the old code, every line would count as changed. */
function endLinesLike(before: string, after: string): string {
  const ended = before.endsWith("\n") && !after.endsWith("\n") ? `${after}\n` : after;
  const isCrlf = before.includes("\r\n") && !/(?:^|[^\r])\n/.test(before);
  return isCrlf ? ended.replaceAll(/\r?\n/g, "\r\n") : ended;
}

/** Line ends, and space at the end of lines, are no change. */
function normalize(code: string): string {
  return code
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

import { fenceMaterial } from "../prompt/fence-material.js";
import { ToolFailure } from "../tool-failure.js";
import type { RunContext } from "../tool-spec.js";
import type { TextQuestion } from "./asker.js";
import { unwrapCode } from "./unwrap-code.js";

/** Ends the rules of every question that is answered with code. */
export const CODE_FORM =
  "Answer with one fenced code block that holds the whole result, and with nothing outside it: no explanation, no greeting, no second block.";

/** So much of an answer that is no code is told. */
const MOST_LETTERS = 200;
/** So much of a refused answer is shown to the model again. */
const MOST_REPEATED = 50_000;
/** How words begin that models put in the place of code. */
const WORDS =
  /^(?:sure|certainly|of course|absolutely|okay|sorry|unfortunately|here(?:'s|’s| is| are)|below (?:is|are)|the following|as an ai|i(?:'m|’m| am| can| will|'ll|’ll| have)|this (?:is|code|component|form|query|test))\b/i;

/** A question that is answered with code. */
export interface CodeQuestion extends TextQuestion {
  /** Says what is wrong with the code; `undefined` for nothing. */
  check(code: string): string | undefined;
}

/**
 * Asks for code, which comes without a fence. An answer that is none, or fails its check, is asked for once more with what was
 * wrong. Throws `ToolFailure` where the second answer is no better.
 */
export async function askCode(question: CodeQuestion, context: RunContext): Promise<string> {
  const { ask, provider, progress } = context;
  const { check, ...first } = question;
  const answer = await ask.text(first);
  const code = unwrapCode(answer.text);
  const problem = findProblem(code, check);
  if (problem === undefined) return code;

  const label = provider?.label ?? "The client's model";
  progress(`The answer of ${label} did not fit, asking again`);
  const second = await ask.text({ ...first, prompt: addCorrection(first.prompt, answer.text, problem) });
  const better = unwrapCode(second.text);
  const remaining = findProblem(better, check);
  if (remaining === undefined) return better;
  throw new ToolFailure(`${label} (${second.model}) gave no usable code, asked twice: ${remaining}`);
}

function findProblem(code: string, check: CodeQuestion["check"]): string | undefined {
  if (code === "") return "The answer holds no code";
  if (WORDS.test(code)) return `The answer has words in place of code, or around it: ${cut(code)}`;
  return check(code);
}

function addCorrection(prompt: string, answer: string, problem: string): string {
  const earlier = fenceMaterial({ "earlier answer": answer.slice(0, MOST_REPEATED) });
  return `${prompt}\n\nThis earlier answer cannot be used:\n\n${earlier}\n\nWhat is wrong with it: ${problem}\n\nAnswer again with the whole corrected result. ${CODE_FORM}`;
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > MOST_LETTERS ? `${line.slice(0, MOST_LETTERS)}…` : line;
}

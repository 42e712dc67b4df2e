import { findLimit } from "./language-limits.js";
import { type RegexSource, runRegex, type TextOutcome } from "./run-regex.js";
import { isJavaScript, translateRegex } from "./translate-regex.js";

/** An expression with texts that it is to match and not to match. */
export interface RegexProposal extends RegexSource {
  readonly explanation: string;
  readonly matches: readonly string[];
  readonly nonMatches: readonly string[];
}

/** What happened with one example. */
export type ExampleCheck = TextOutcome & { readonly text: string; readonly expected: "match" | "no match" };

/** What was found out by running an expression. */
export interface RegexExamination {
  /** Whether the engine of the language ran it on every example, and each came out as it should. */
  readonly verified: boolean;
  /** What was run, and how it came out, for people. */
  readonly verification: string;
  readonly checks: readonly ExampleCheck[];
  /** What is to be mended; `undefined` where nothing is known to be wrong. */
  readonly problem: string | undefined;
}

const MOST_SHOWN = 200;

/** Runs an expression on its examples, as far as JavaScript's engine can speak for that of its language. */
export async function examineRegex(
  proposal: RegexProposal,
  language: string,
  signal: AbortSignal,
): Promise<RegexExamination> {
  const limit = findLimit(proposal, language);
  if (limit !== undefined) return { verified: false, verification: limit, checks: [], problem: limit };
  const examples = listExamples(proposal);
  const native = isJavaScript(language);
  const source = native ? { pattern: proposal.pattern, flags: proposal.flags } : translateRegex(proposal);
  if (source === undefined) {
    const verification = `Not run: the expression uses what only the engine of ${language} understands, so test it there`;
    const checks = examples.map((each) => ({ ...each, outcome: "not run" as const }));
    return { verified: false, verification, checks, problem: undefined };
  }
  const run = await tryRun(source, examples, signal);
  if (typeof run === "string") return { verified: false, verification: run, checks: [], problem: run };
  const wrong = run.filter(({ expected, outcome }) => expected !== outcome);
  const engine = native
    ? "JavaScript's engine"
    : `JavaScript's engine, since that of ${language} is not at hand: test it there, too`;
  return {
    verified: native && wrong.length === 0,
    verification: `${run.length - wrong.length} of ${run.length} examples came out as they should, run by ${engine}`,
    checks: run,
    problem: wrong.length === 0 ? undefined : wrong.map(describeWrong).join("; "),
  };
}

type Example = Pick<ExampleCheck, "text" | "expected">;

function listExamples({ matches, nonMatches }: RegexProposal): Example[] {
  return [
    ...matches.map((text) => ({ text, expected: "match" as const })),
    ...nonMatches.map((text) => ({ text, expected: "no match" as const })),
  ];
}

/** Gives what is wrong with the expression itself as text. */
async function tryRun(
  source: RegexSource,
  examples: readonly Example[],
  signal: AbortSignal,
): Promise<readonly ExampleCheck[] | string> {
  try {
    const texts = examples.map(({ text }) => text);
    const outcomes = await runRegex(source, texts, signal);
    return examples.map((example, index) => ({ ...example, ...(outcomes[index] ?? { outcome: "not run" }) }));
  } catch (error) {
    if (error instanceof SyntaxError) return `the expression cannot be read: ${error.message.slice(0, MOST_SHOWN)}`;
    throw error;
  }
}

function describeWrong({ text, expected, outcome }: ExampleCheck): string {
  const shown = JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);
  if (outcome === "timed out") return `on ${shown} it ran for more than a second, so it backtracks catastrophically`;
  if (outcome === "not run") return `${shown} was not run`;
  return expected === "match"
    ? `it does not match ${shown}, which is listed in "matches"`
    : `it matches ${shown}, which is listed in "nonMatches"`;
}

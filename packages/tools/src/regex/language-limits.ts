import type { RegexSource } from "./run-regex.js";

/** What an engine refuses, and how to say so. */
interface Limit {
  readonly language: RegExp;
  readonly refused: RegExp;
  readonly problem: string;
}

const LIMITS: readonly Limit[] = [
  {
    language: /^(?:go|golang|rust|re2)(?![a-z])/,
    refused: /\(\?<?[=!]|\\[1-9]|\\k</,
    problem: "the engine of the language has neither lookahead nor lookbehind nor backreferences",
  },
  {
    language: /^(?:python|py)(?![a-z])/,
    refused: /\(\?<[A-Za-z_]|\\k</,
    problem: "Python names groups as (?P<name>…) and refers to them as (?P=name)",
  },
];

/** Says what the engine of a language is known to refuse in an expression; `undefined` for nothing. */
export function findLimit({ pattern }: RegexSource, language: string): string | undefined {
  const name = language.trim().toLowerCase();
  const bare = pattern.replaceAll("\\\\", "");
  return LIMITS.find(({ language: each, refused }) => each.test(name) && refused.test(bare))?.problem;
}

import type { RegexSource } from "./run-regex.js";

/** What an engine refuses, and how to say so. */
interface Limit {
  readonly languages: ReadonlySet<string>;
  readonly refused: RegExp;
  readonly problem: string;
}

const LIMITS: readonly Limit[] = [
  {
    languages: new Set(["go", "golang", "rust", "re2"]),
    refused: /\(\?<?[=!]|\\[1-9]|\\k</,
    problem: "the engine of the language has neither lookahead nor lookbehind nor backreferences",
  },
  {
    languages: new Set(["python", "py", "python3"]),
    refused: /\(\?<[A-Za-z_]|\\k</,
    problem: "Python names groups as (?P<name>…) and refers to them as (?P=name)",
  },
];

/** Says what the engine of a language is known to refuse in an expression; `undefined` for nothing. */
export function findLimit({ pattern }: RegexSource, language: string): string | undefined {
  const name = language.trim().toLowerCase();
  const bare = pattern.replaceAll("\\\\", "");
  return LIMITS.find(({ languages, refused }) => languages.has(name) && refused.test(bare))?.problem;
}

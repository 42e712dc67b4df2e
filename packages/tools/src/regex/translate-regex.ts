import type { RegexSource } from "./run-regex.js";

/** How JavaScript is called, with or without a version behind it; its expressions need no translation. */
const JAVASCRIPT = /^(?:javascript|typescript|ecmascript|js|ts|jsx|tsx|node|nodejs|deno|bun)(?![a-z])/;

/** What the engine of another language reads otherwise than JavaScript, or what JavaScript does not have. */
const FOREIGN =
  /\(\?>|\(\?\||\(\?R\)|\(\?[&#(]|\(\?P>|\(\?[+-]?\d|\(\*|[*+?}]\+|\[\[:|\\[GKRXhHACLlUQEea]|\\g[<{\d]|\(\?[a-z-]+[:)]|\\p\{(?:Is|In)/;

/** What can be written in JavaScript's way without a change of meaning. */
const REWRITES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\(\?P</g, "(?<"],
  [/\(\?P=(\w+)\)/g, "\\k<$1>"],
];

/** Flags of other languages that mean the same in JavaScript. */
const COMMON_FLAGS = /^[ims]*$/;

/** Whether a language is JavaScript by one of its names. */
export function isJavaScript(language: string): boolean {
  return JAVASCRIPT.test(language.trim().toLowerCase());
}

/**
 * Writes an expression of another language as one of JavaScript. Gives `undefined` where it uses what may mean something else
 * there: better no verdict than a wrong one.
 */
export function translateRegex({ pattern, flags }: RegexSource): RegexSource | undefined {
  const leading = /^\(\?([ims]+)\)/.exec(pattern);
  const letters = new Set([...flags, ...(leading?.[1] ?? "")]);
  const body = translateAnchors(pattern.slice(leading?.[0].length ?? 0), letters.has("m"));
  const rewritten = REWRITES.reduce((text, [from, to]) => text.replace(from, to), body);
  const translated = { pattern: rewritten, flags: [...letters].join("") };
  if (!COMMON_FLAGS.test(translated.flags) || FOREIGN.test(rewritten.replaceAll("\\\\", ""))) return undefined;
  return isExpression(translated) ? translated : undefined;
}

/** Whether JavaScript can read an expression. */
export function isExpression({ pattern, flags }: RegexSource): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** `\A` and `\z` stand for the ends of the whole text, which `^` and `$` do unless lines have ends of their own. */
function translateAnchors(pattern: string, byLine: boolean): string {
  return pattern.replace(/\\([\s\S])/g, (whole, letter: string) => {
    if (letter === "A") return byLine ? "(?<![\\s\\S])" : "^";
    if (letter === "z" || letter === "Z") return byLine ? "(?![\\s\\S])" : "$";
    return whole;
  });
}

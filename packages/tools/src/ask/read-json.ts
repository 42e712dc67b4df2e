import { stripThoughts } from "./strip-thoughts.js";
import { listFenced } from "./unwrap-code.js";

/** So many places are tried as the beginning of the value. */
const MOST_STARTS = 20;

/**
 * Reads the JSON value out of what a model said: alone, in a fence, after what it thought, or with words around it. Gives all values
 * that it may have meant, the likeliest first.
 */
export function readJson(text: string): unknown[] {
  const said = text.replace(/^\uFEFF/, "").trim();
  const whole = parseValue(said);
  if (whole !== undefined) return [whole];
  const told = stripThoughts(said).trim();
  const fenced = listFenced(told).map((inner) => parseValue(inner.trim()));
  const embedded = listEmbedded(told).map(parseValue);
  return [parseValue(told), ...fenced, ...embedded].filter((value) => value !== undefined);
}

/** Objects and arrays alone: a number or a word by itself was never asked for. */
function parseValue(text: string): object | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    // Begins with a bracket, so that it is an object or an array.
    return JSON.parse(text) as object;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The parts of a text that begin with a bracket and end with the one that closes it, the longest first. */
function listEmbedded(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let tries = 0; tries < MOST_STARTS; tries += 1) {
    const start = findBracket(text, from);
    if (start === undefined) break;
    const end = findEnd(text, start);
    if (end !== undefined) parts.push(text.slice(start, end));
    from = end ?? start + 1;
  }
  return parts.sort((one, other) => other.length - one.length);
}

function findBracket(text: string, from: number): number | undefined {
  const found = /[{[]/.exec(text.slice(from));
  return found === null ? undefined : from + found.index;
}

/** Where the value that begins here ends; brackets in strings do not count. */
function findEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const letter = text[at];
    if (quoted) {
      if (letter === "\\") at += 1;
      else if (letter === '"') quoted = false;
    } else if (letter === '"') quoted = true;
    else if (letter === "{" || letter === "[") depth += 1;
    else if ((letter === "}" || letter === "]") && --depth === 0) return at + 1;
  }
  return undefined;
}

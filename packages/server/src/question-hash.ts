import { canonicalize } from "./digest.js";
import type { Prepared } from "./prepare-question.js";

/**
 * Tells questions apart, in 64 bits: whether a handler asks what it asked in an earlier run. Nothing is protected by it, so that it
 * can be made at once.
 */
export function hashQuestion({ method, params }: Pick<Prepared, "method" | "params">): string {
  const text = canonicalize([method, params]);
  return `${fold(text, 0x811c9dc5)}${fold(text, 0x9747b28c)}`;
}

/** FNV-1a over UTF-16, with the bits stirred at the end. */
function fold(text: string, start: number): string {
  let hash = start;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0).toString(16).padStart(8, "0");
}

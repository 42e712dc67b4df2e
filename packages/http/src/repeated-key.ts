/** The members that decide what a message asks and who is answered. */
const DECISIVE: ReadonlySet<unknown> = new Set(["id", "method", "params"]);
const BLANKS: ReadonlySet<string> = new Set([" ", "\n", "\r", "\t"]);
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/**
 * Tells whether valid JSON text names a decisive member of its outermost object twice. Walks over the text once, keeping
 * track of depth. Loaded with the first text that may be such.
 */
export function hasRepeatedKey(text: string): boolean {
  const seen = new Set<unknown>();
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfString(text, at);
      if (depth === 1 && isKey(text, end)) {
        const key: unknown = JSON.parse(text.slice(at, end)); // so that escapes cannot hide a name
        if (seen.has(key)) return true;
        if (DECISIVE.has(key)) seen.add(key);
      }
      at = end - 1;
    } else if (character === OPEN_BRACE || character === OPEN_BRACKET) {
      // The entries of a batch are messages of their own.
      if (depth === 0 && character === OPEN_BRACKET) return false;
      depth += 1;
    } else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) {
      depth -= 1;
    }
  }
  return false;
}

/** The index behind the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text[quote - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function isKey(text: string, end: number): boolean {
  let at = end;
  while (BLANKS.has(text.charAt(at))) at += 1;
  return text.charAt(at) === ":";
}

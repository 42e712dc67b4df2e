import { encodeBase64Url } from "./base64url.js";

/**
 * The SHA-256 of a JSON value, as 43 letters of base64url: the same for values that differ in the order of members only, in
 * whichever process. Members that JSON leaves out do not count.
 */
export async function digest(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(canonicalize(value));
  return encodeBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** JSON text with the members of every object in the order of their names. Not recursive: a value may be deeper than the stack. */
export function canonicalize(value: unknown): string {
  const written: string[] = [];
  const pending: Piece[] = [{ value }];
  for (let piece = pending.pop(); piece !== undefined; piece = pending.pop()) {
    if ("text" in piece) written.push(piece.text);
    else if (typeof piece.value !== "object" || piece.value === null)
      written.push(JSON.stringify(piece.value) ?? "null");
    else for (const part of takeApart(piece.value)) pending.push(part);
  }
  return written.join("");
}

/** Text as it is, or a value that is still to be written. */
type Piece = { readonly text: string } | { readonly value: unknown };

/** The pieces of an array or object, the last one first. */
function takeApart(value: object): Piece[] {
  const pieces: Piece[] = [];
  if (Array.isArray(value)) {
    for (const item of value) pieces.push({ text: pieces.length === 0 ? "[" : "," }, { value: item });
    pieces.push({ text: pieces.length === 0 ? "[]" : "]" });
    return pieces.reverse();
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  for (const [name, member] of members.sort(([a], [b]) => (a < b ? -1 : 1)))
    pieces.push({ text: `${pieces.length === 0 ? "{" : ","}${JSON.stringify(name)}:` }, { value: member });
  pieces.push({ text: pieces.length === 0 ? "{}" : "}" });
  return pieces.reverse();
}

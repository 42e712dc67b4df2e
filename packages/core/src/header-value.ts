const PREFIX = "=?base64?";
const SUFFIX = "?=";
/** What can be sent as it is: visible ASCII with inner spaces. */
const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;
/** What a header may hold: visible ASCII, spaces and tabs; the blanks around it are not part of the value. */
const ALLOWED = /^[\t -~]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Arguments of one call must stay few; also the encoder works on pieces so that a long value does not overflow it. */
const PIECE = 8_192;

/**
 * Encodes a value for `Mcp-Name` or `Mcp-Param-*`: as it is where a header can carry it, else in the base64 wrapper.
 * The result never holds a line break.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#value-encoding
 */
export function encodeHeaderValue(value: string | number | boolean): string {
  const text = typeof value === "string" ? value : String(value);
  if (PLAIN.test(text) && !looksWrapped(text)) return text;
  return PREFIX + toBase64(new TextEncoder().encode(text)) + SUFFIX;
}

/**
 * Decodes a received `Mcp-Name` or `Mcp-Param-*` value. Gives `undefined` for characters that a header must not hold,
 * base64 that is malformed, and bytes that are not UTF-8. Text that only resembles the wrapper is taken literally.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#server-validation
 */
export function decodeHeaderValue(raw: string): string | undefined {
  if (PLAIN.test(raw)) return looksWrapped(raw) ? unwrap(raw) : raw;
  if (!ALLOWED.test(raw)) return undefined;
  const value = raw.trim();
  return looksWrapped(value) ? unwrap(value) : value;
}

function looksWrapped(text: string): boolean {
  return text.charCodeAt(0) === 0x3d && text.startsWith(PREFIX) && text.endsWith(SUFFIX);
}

function unwrap(text: string): string | undefined {
  if (text.length < PREFIX.length + SUFFIX.length) return text; // the markers overlap: "=?base64?="
  const encoded = text.slice(PREFIX.length, -SUFFIX.length);
  // `atob` forgives missing padding and blanks; the wire does not.
  if (encoded.length % 4 !== 0 || !BASE64.test(encoded)) return undefined;
  const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // the only failure a fatal decoder has: these bytes are not UTF-8
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  }
  return btoa(binary);
}

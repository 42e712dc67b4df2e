/** What the last letters can be: one that spells unused bits would make a second text of the same bytes. */
const LAST_OF_TWO = /[AQgw]$/;
const LAST_OF_THREE = /[AEIMQUYcgkosw048]$/;
const FOREIGN = /[^\w-]/;
/** Arguments of one call must stay few. */
const PIECE = 8_192;

/** Encodes bytes as base64url without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += PIECE) {
    binary += String.fromCharCode(...bytes.subarray(start, start + PIECE));
  }
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** How many letters so many bytes take. */
export function lengthInBase64Url(bytes: number): number {
  return Math.ceil((bytes * 4) / 3);
}

/** Decodes base64url without padding. Gives `undefined` for everything that `encodeBase64Url` never writes. */
export function decodeBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const rest = text.length % 4;
  if (rest === 1 || FOREIGN.test(text)) return undefined;
  if ((rest === 2 && !LAST_OF_TWO.test(text)) || (rest === 3 && !LAST_OF_THREE.test(text))) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

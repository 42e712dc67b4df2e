/** Makes a text of 256 bits that nobody can guess, and that addresses can hold. */
export function createRandomText(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Makes the challenge of a PKCE verifier with "S256". See https://www.rfc-editor.org/rfc/rfc7636.html#section-4.2 */
export async function createChallenge(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** An id that nobody can guess: 128 random bits as 32 hexadecimal digits. */
export function createRandomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Tells whether a text has the form of such an id. */
export function isRandomId(text: string): boolean {
  return /^[\da-f]{32}$/.test(text);
}

/** Longer words of a server's are cut. */
const MOST_CHARS = 200;
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;
/** Shorter ones would tear ordinary words apart, and cannot be secrets. */
const LEAST_SECRET = 4;

/** Makes a server's words fit for a message: short, of one line, and without what it was sent in confidence. */
export function quoteServer(words: string, secrets: readonly string[] = []): string {
  const hidden = secrets
    .filter((secret) => secret.length >= LEAST_SECRET)
    .flatMap(spell)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, secret) => shown.replaceAll(secret, "[redacted]"), words);
  const line = hidden.replace(UNPRINTABLE, " ").trim();
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line;
}

/** A secret, and how it looks in addresses and forms. */
function spell(secret: string): string[] {
  const form = new URLSearchParams([["", secret]]).toString().slice(1);
  return [secret, form, form.replaceAll("+", "%20")];
}

const SECONDS = /^[0-9]+$/;

/**
 * Reads a `Retry-After` header, in milliseconds from now; `undefined` when there is none that says anything. Both of its
 * forms are read, seconds and a date.
 *
 * Follows https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  const text = header?.trim() ?? "";
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** How long a provider asks to be left alone, in milliseconds; `undefined` where it does not say. */
export function readRetryAfter(headers: Headers): number | undefined {
  const milliseconds = headers.get("retry-after-ms");
  if (milliseconds !== null && /^\d{1,12}(\.\d+)?$/.test(milliseconds)) return Number(milliseconds);
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  if (/^\d{1,9}(\.\d+)?$/.test(value)) return Number(value) * 1000;
  // Begins with the day of the week. `Date.parse` takes much else for a date.
  const date = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

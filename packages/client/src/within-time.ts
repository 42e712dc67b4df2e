/** The value, or `undefined` when the time is up first; `undefined` milliseconds mean to wait for ever. */
export function withinTime<T>(value: Promise<T>, timeoutMs: number | undefined): Promise<T | undefined> {
  if (timeoutMs === undefined) return value;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, timeoutMs, undefined);
    value.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

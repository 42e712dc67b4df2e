/** Tells whether a value has to be waited for. */
export function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"; // any object may be asked for a member
}

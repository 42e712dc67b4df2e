/** Tells whether a value has to be waited for. Asking first keeps synchronous what can be. */
export function isThenable<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"; // any object may be asked for a member
}

import type { KeyedLock } from "./keyed-lock.js";
import { openOnce } from "./open-once.js";

/** Makes a lock that holds within this process. What it takes is loaded by whoever needs it first: most pages have one of their own. */
export function createLateLock(): KeyedLock {
  const open = openOnce(async () => (await import("./keyed-lock.js")).createKeyedLock());
  return async (key, work, signal) => (await open())(key, work, signal);
}

import type { HeldLogin } from "./held-login.js";
import { isExpired, type LoginRecord } from "./login-record.js";

/** How often is looked, in milliseconds. */
const LOOK_MS = 1_000;

/** Looks into the store now and then, until something is over, and tells of tokens there that have not ended. */
export async function watchStore(
  held: HeldLogin,
  over: Promise<void>,
  onTokens: (record: LoginRecord) => void,
): Promise<void> {
  const isOver = over.then(() => true);
  while (!(await Promise.race([isOver, pause()]))) {
    await held.reload(held.record);
    if (held.record !== undefined && !isExpired(held.record)) onTokens(held.record);
  }
}

/** A wait that keeps no process alive. Browsers have numbers for timers. */
function pause(): Promise<false> {
  return new Promise((resolve) => {
    const timer: number | { unref?(): void } = setTimeout(resolve, LOOK_MS, false);
    if (typeof timer === "object") timer.unref?.();
  });
}

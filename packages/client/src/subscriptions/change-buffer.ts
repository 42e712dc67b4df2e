import type { JsonRpcNotification } from "@mortise/core";

/** Changes in the order in which they came, at most so many. */
export interface ChangeBuffer {
  /** Keeps a change, under what it is about. Gives false when another one had to go for it. */
  push(about: string, change: JsonRpcNotification): boolean;
  /** Takes out the oldest; `undefined` when there is none. */
  shift(): JsonRpcNotification | undefined;
}

/**
 * Makes an empty buffer. A change that waits already is kept once: a second one tells nothing new. When there are too many, the
 * oldest goes.
 */
export function createChangeBuffer(maxPending: number): ChangeBuffer {
  const pending = new Map<string, JsonRpcNotification>();
  const shift = (): JsonRpcNotification | undefined => {
    for (const [about, change] of pending) {
      pending.delete(about);
      return change;
    }
    return undefined;
  };
  return {
    push(about, change) {
      pending.set(about, change);
      if (pending.size <= maxPending) return true;
      shift();
      return false;
    },
    shift,
  };
}

import type { JsonRpcNotification } from "@mortise/core";

/** Changes that wait for their reader. */
export interface ChangeQueue {
  /** Keeps a change, under what it is about. Gives false when another one had to go for it. */
  push(about: string, change: JsonRpcNotification): boolean;
  /** Nothing more comes: whoever reads gets what is left, and then the end, or the error. */
  end(error: Error | undefined): void;
  next(): Promise<IteratorResult<JsonRpcNotification, undefined>>;
}

interface Reader {
  resolve(result: IteratorResult<JsonRpcNotification, undefined>): void;
  reject(error: Error): void;
}

/**
 * Keeps changes until they are read, at most so many. A change that waits already is kept once: a second one tells nothing
 * new. When there are too many, the oldest goes.
 */
export function createChangeQueue(maxPending: number): ChangeQueue {
  const pending = new Map<string, JsonRpcNotification>();
  const readers: Reader[] = [];
  let ended: { readonly error: Error | undefined } | undefined;
  return {
    push(about, change) {
      if (ended !== undefined) return true;
      const reader = readers.shift();
      if (reader !== undefined) {
        reader.resolve({ value: change, done: false });
        return true;
      }
      pending.set(about, change);
      if (pending.size <= maxPending) return true;
      for (const oldest of pending.keys()) {
        pending.delete(oldest);
        break;
      }
      return false;
    },
    end(error) {
      if (ended !== undefined) return;
      const [first, ...others] = readers.splice(0);
      // An error is thrown once; whoever asks again is past the end.
      ended = { error: first === undefined ? error : undefined };
      if (first !== undefined && error !== undefined) first.reject(error);
      else first?.resolve({ value: undefined, done: true });
      for (const reader of others) reader.resolve({ value: undefined, done: true });
    },
    next() {
      for (const [about, change] of pending) {
        pending.delete(about);
        return Promise.resolve({ value: change, done: false });
      }
      if (ended === undefined) return new Promise((resolve, reject) => readers.push({ resolve, reject }));
      const { error } = ended;
      ended = { error: undefined };
      return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error);
    },
  };
}

import type { JsonRpcNotification } from "@mortise/core";
import { type ChangeBuffer, createChangeBuffer } from "./change-buffer.js";

/** Changes that wait for their reader. */
export interface ChangeQueue extends Pick<ChangeBuffer, "push"> {
  /** Nothing more comes: whoever reads gets what is left, and then the end, or the error. */
  end(error: Error | undefined): void;
  next(): Promise<IteratorResult<JsonRpcNotification, undefined>>;
}

interface Reader {
  resolve(result: IteratorResult<JsonRpcNotification, undefined>): void;
  reject(error: Error): void;
}

/** Keeps changes until they are read, as a buffer does. */
export function createChangeQueue(maxPending: number): ChangeQueue {
  const pending = createChangeBuffer(maxPending);
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
      return pending.push(about, change);
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
      const change = pending.shift();
      if (change !== undefined) return Promise.resolve({ value: change, done: false });
      if (ended === undefined) return new Promise((resolve, reject) => readers.push({ resolve, reject }));
      const { error } = ended;
      ended = { error: undefined };
      return error === undefined ? Promise.resolve({ value: undefined, done: true }) : Promise.reject(error);
    },
  };
}

/** Runs work one after the other for each key. */
export type KeyedLock = <T>(key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Makes a lock that holds within this process. Who waits is let in in the order of asking; whoever gives up lets the next one
 * through. Asking for the same key again from within the work never ends, as with any lock of this kind.
 */
export function createKeyedLock(): KeyedLock {
  const queues = new Map<string, Promise<unknown>>();
  return async (key, work, signal) => {
    signal?.throwIfAborted();
    const before = queues.get(key);
    const { ended, end } = createEnding();
    // Behind one that gave up, the next still waits for those before it.
    const queue = before === undefined ? ended : Promise.all([before, ended]);
    queues.set(key, queue);
    try {
      if (before !== undefined) await untilDone(before, signal);
      return await work();
    } finally {
      end();
      void queue.then(() => {
        if (queues.get(key) === queue) queues.delete(key);
      });
    }
  };
}

function createEnding(): { ended: Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { ended, end };
}

function untilDone(before: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", giveUp, { once: true });
    void before.then(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    });
  });
}

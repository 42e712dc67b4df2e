/** Calls back at equal intervals, for as long as somebody waits. */
export interface KeepAlive {
  /** Calls `beat` every interval until the function it gives is called. */
  start(beat: () => void): () => void;
}

/** Keeps nothing alive. */
const NO_KEEP_ALIVE: KeepAlive = Object.freeze({ start: () => () => undefined });

/**
 * One timer for all that wait, for runtimes where requests may share one. The timer never keeps a process running; it
 * ends by itself when nobody waits any more.
 */
export function createSharedKeepAlive(interval: number): KeepAlive {
  if (interval === 0) return NO_KEEP_ALIVE;
  // The intervals are equal, so that the order of insertion is the order of time.
  const waiting = new Set<{ readonly beat: () => void; due: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const arm = (delay: number): void => {
    timer = setTimeout(tick, delay);
    release(timer);
  };
  const tick = (): void => {
    timer = undefined;
    const now = Date.now();
    for (const entry of [...waiting]) {
      if (entry.due > now) break;
      waiting.delete(entry);
      entry.due = now + interval;
      waiting.add(entry);
      entry.beat();
    }
    const [next] = waiting;
    if (next !== undefined) arm(Math.max(next.due - Date.now(), 1));
  };
  return {
    start(beat) {
      const entry = { beat, due: Date.now() + interval };
      waiting.add(entry);
      if (timer === undefined) arm(interval);
      return () => void waiting.delete(entry);
    },
  };
}

/** A timer for each that waits, for runtimes where a timer belongs to the request that made it. None is left behind. */
export function createSingleKeepAlive(interval: number): KeepAlive {
  if (interval === 0 || typeof setInterval !== "function") return NO_KEEP_ALIVE;
  return {
    start(beat) {
      const timer = setInterval(beat, interval);
      release(timer);
      return () => clearInterval(timer);
    },
  };
}

/** Lets a process end while a timer waits, on runtimes where timers would prevent it. */
function release(timer: unknown): void {
  if (typeof timer === "object" && timer !== null && "unref" in timer && typeof timer.unref === "function")
    timer.unref();
}

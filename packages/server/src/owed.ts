import { LONGEST_DELAY } from "@mortise/core";

/** Counts answers that are owed, for whoever has to wait for the last of them. */
export class Owed {
  readonly #waiting = new Set<() => void>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** One more is owed. */
  add(): void {
    this.#count += 1;
  }

  /** One was given, or is not owed any more. */
  settle(): void {
    this.#count -= 1;
    if (this.#count === 0) for (const resolve of this.#waiting) resolve();
  }

  /** Resolves once nothing is owed, or after `limitMs`; no timer runs where that is `Infinity`. */
  async settled(limitMs: number): Promise<void> {
    if (this.#count === 0 || limitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer =
        limitMs === Number.POSITIVE_INFINITY ? undefined : setTimeout(done, Math.min(limitMs, LONGEST_DELAY));
      this.#waiting.add(done);
    });
  }
}

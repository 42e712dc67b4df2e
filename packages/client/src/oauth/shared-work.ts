import { abandonable } from "./abandonable.js";

/** Work that several wait for. Whoever gives up leaves it to the others; it is aborted once nobody waits any more. */
export class SharedWork<T> {
  /** Resolves when the work is over, however it went. */
  readonly over: Promise<void>;
  readonly #stop = new AbortController();
  readonly #result: Promise<T>;
  #resolve!: (value: T) => void; // set by the constructor, inside the promise
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      abandonable(work(this.#stop.signal), this.#stop.signal).then(resolve, reject);
    });
    this.over = this.#result.then(
      () => undefined,
      () => undefined, // those who wait are told
    );
  }

  /** Whether it is of no use to begin to wait: it is over, or was aborted. */
  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Waits for the result. Rejects with the reason of the signal when that aborts first. */
  async wait(signal: AbortSignal | undefined): Promise<T> {
    this.#waiting += 1;
    try {
      return await abandonable(this.#result, signal);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#stop.abort(new DOMException("Nobody waits any more", "AbortError"));
    }
  }

  /** Something else brought what this is for. */
  settle(value: T): void {
    this.#resolve(value);
  }
}

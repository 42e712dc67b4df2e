import type { JsonObject } from "@mortise/core";

/** One of those who wait for a shared request. */
interface Waiter {
  resolve(result: JsonObject | undefined): void;
  reject(error: unknown): void;
}

/** What a shared request tells while it is on its way. */
export interface SharedStart {
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal;
  /** To be called when the server asks something: the answers are those of one waiter, so the result is, too. */
  onAsked(): void;
}

/** How those who wait for the request are kept apart. */
export interface SharedOptions {
  start(shared: SharedStart): Promise<JsonObject>;
  /** Whether a failure is that of whoever began, and tells the others nothing. */
  isOwn(error: unknown): boolean;
}

/** One request that several wait for. Each may leave; with the last one the request is given up. */
export class SharedCall {
  readonly #waiters = new Set<Waiter>();
  readonly #gone = new AbortController();
  readonly #isOwn: SharedOptions["isOwn"];
  /** Whoever began. */
  #leader: Waiter | undefined;

  constructor({ start, isOwn }: SharedOptions) {
    this.#isOwn = isOwn;
    start({ signal: this.#gone.signal, onAsked: () => this.#keepOne() }).then(
      (result) => this.#succeed(result),
      (error: unknown) => this.#fail(error),
    );
  }

  /** Whether everybody has left: nothing will come of it. */
  get isGivenUp(): boolean {
    return this.#gone.signal.aborted;
  }

  /** Waits with the others. Gives a result of one's own, or `undefined` where one has to ask by oneself. */
  async join(
    wait: (answer: () => Promise<JsonObject | undefined>) => Promise<JsonObject | undefined>,
  ): Promise<JsonObject | undefined> {
    let waiter: Waiter | undefined;
    const answer = new Promise<JsonObject | undefined>((resolve, reject) => {
      waiter = { resolve, reject };
      this.#leader ??= waiter;
      this.#waiters.add(waiter);
    });
    try {
      return await wait(() => answer);
    } finally {
      if (waiter !== undefined && this.#waiters.delete(waiter) && this.#waiters.size === 0) this.#gone.abort();
    }
  }

  #succeed(result: JsonObject): void {
    const [first, ...others] = this.#takeAll();
    // What one of them changes must not change for the others.
    for (const waiter of others) waiter.resolve(copy(result));
    first?.resolve(result);
  }

  #fail(error: unknown): void {
    const isOwn = this.#isOwn(error);
    for (const waiter of this.#takeAll()) {
      if (isOwn && waiter !== this.#leader) waiter.resolve(undefined);
      else waiter.reject(error);
    }
  }

  #keepOne(): void {
    const [, ...others] = this.#waiters;
    for (const waiter of others) {
      this.#waiters.delete(waiter);
      waiter.resolve(undefined);
    }
  }

  #takeAll(): Waiter[] {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    return waiters;
  }
}

/** A copy; `undefined` for what is nested too deeply to be copied, so that others have to ask by themselves. */
function copy(result: JsonObject): JsonObject | undefined {
  try {
    return structuredClone(result);
  } catch {
    // It came from JSON: its depth is all that can be wrong with it.
    return undefined;
  }
}

import type { Bus } from "./bus.js";

/** Hears of a change: which topic, and the data that were published with it. */
export type ChangeListener = (topic: string, data: unknown) => void;

interface Watched {
  readonly listeners: Set<ChangeListener>;
  readonly end: () => void;
}

/** Spreads what comes over the bus among all that listen in this process, with one subscription for each topic in use. */
export class ChangeFeed {
  readonly #bus: Bus;
  readonly #onFailure: (error: unknown) => void;
  readonly #topics = new Map<string, Watched>();

  /** `onFailure` is told what a listener, or the bus, threw. */
  constructor(bus: Bus, onFailure: (error: unknown) => void) {
    this.#bus = bus;
    this.#onFailure = onFailure;
  }

  /** How many topics are in use. */
  get size(): number {
    return this.#topics.size;
  }

  /** Calls back for every change of the topics from now on. Returns the function that ends this. Throws what the bus throws. */
  watch(topics: readonly string[], listener: ChangeListener): () => void {
    const joined: string[] = [];
    const stop = (): void => {
      for (const topic of joined.splice(0)) this.#leave(topic, listener);
    };
    try {
      for (const topic of new Set(topics)) {
        this.#join(topic, listener);
        joined.push(topic);
      }
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  #join(topic: string, listener: ChangeListener): void {
    const watched = this.#topics.get(topic);
    if (watched !== undefined) {
      watched.listeners.add(listener);
      return;
    }
    const listeners = new Set([listener]);
    const end = this.#bus.subscribe(topic, (data) => this.#spread(listeners, topic, data));
    this.#topics.set(topic, { listeners, end });
  }

  #leave(topic: string, listener: ChangeListener): void {
    const watched = this.#topics.get(topic);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    this.#topics.delete(topic);
    this.#guard(watched.end);
  }

  /** Whoever fails does not keep the news from the others. */
  #spread(listeners: ReadonlySet<ChangeListener>, topic: string, data: unknown): void {
    for (const listener of [...listeners]) this.#guard(() => listener(topic, data));
  }

  #guard(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

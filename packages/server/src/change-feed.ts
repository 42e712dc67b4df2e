import { describeType, isThenable } from "@mortise/core";
import type { Bus } from "./bus.js";

/** Hears of a change: which topic, and the data that were published with it. */
export type ChangeListener = (topic: string, data: unknown) => void;

interface Watched {
  readonly listeners: Set<ChangeListener>;
  readonly end: () => void;
}

/** The server's end of the bus: publishes, and spreads what comes among all that listen here, with one subscription for each topic in use. */
export class ChangeFeed {
  readonly #bus: Bus;
  readonly #onFailure: (error: unknown) => void;
  readonly #topics = new Map<string, Watched>();
  /** Topics announced in this turn. */
  readonly #announced = new Set<string>();

  /** `onFailure` is told what a listener, or the bus, threw. */
  constructor(bus: Bus, onFailure: (error: unknown) => void) {
    this.#bus = bus;
    this.#onFailure = onFailure;
  }

  /** How many topics are in use. */
  get size(): number {
    return this.#topics.size;
  }

  /** Publishes data. */
  publish(topic: string, data: unknown): void {
    this.#guard(() => {
      const published = this.#bus.publish(topic, data);
      if (isThenable(published)) void published.then(undefined, this.#onFailure);
    });
  }

  /** Publishes, without data, that something changed. Several changes in one turn are published once. */
  announce(topic: string): void {
    if (this.#announced.size === 0) queueMicrotask(() => this.flush());
    this.#announced.add(topic);
  }

  /** Publishes now what was announced in this turn. */
  flush(): void {
    const topics = [...this.#announced];
    this.#announced.clear();
    for (const topic of topics) this.publish(topic, null);
  }

  /**
   * Calls back for every change of the topics from now on, and for none before. Returns the function that ends this. Throws
   * what the bus throws.
   */
  watch(topics: readonly string[], listener: ChangeListener): () => void {
    const joined: string[] = [];
    const stop = (): void => {
      for (const topic of joined.splice(0)) this.leave(topic, listener);
    };
    try {
      for (const topic of new Set(topics)) {
        this.join(topic, listener);
        joined.push(topic);
      }
    } catch (error) {
      stop();
      throw error;
    }
    return stop;
  }

  /** Calls back for every change of one topic, like `watch`, until `leave`. */
  join(topic: string, listener: ChangeListener): void {
    this.flush();
    const watched = this.#topics.get(topic);
    if (watched !== undefined) {
      watched.listeners.add(listener);
      return;
    }
    const listeners = new Set([listener]);
    const end: unknown = this.#bus.subscribe(topic, (data) => this.#spread(listeners, topic, data));
    if (typeof end !== "function")
      throw new TypeError(`Expected "subscribe" of the bus to return a function, received ${describeType(end)}`);
    this.#topics.set(topic, { listeners, end: end as () => void }); // checked just now
  }

  /** Ends what `join` began. */
  leave(topic: string, listener: ChangeListener): void {
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

import { MortiseError } from "@mortise/core";
import { toJsonValue } from "./json-value.js";

/** What came of something done once: a JSON value, or the words it failed with. */
export type OnceEntry = { readonly value?: unknown } | { readonly failed: string };

/** What was done along a chain of runs, by key. */
export class DoneOnce {
  readonly #entries: Map<string, OnceEntry>;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(entries: ReadonlyMap<string, OnceEntry>) {
    this.#entries = new Map(entries);
  }

  get entries(): ReadonlyMap<string, OnceEntry> {
    return this.#entries;
  }

  /** Resolves once nothing is being done any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Resolves with what came of it, now or then. Rejects with `invalid_options` for what JSON cannot hold. */
  run(key: string, work: () => unknown): Promise<unknown> {
    if (typeof key !== "string" || typeof work !== "function")
      return Promise.reject(
        new MortiseError("invalid_options", "Expected once() to get a key, a string, and a function"),
      );
    const known = this.#running.get(key) ?? this.#recall(key);
    if (known !== undefined) return known;
    const running = this.#work(key, work);
    this.#running.set(key, running);
    return running;
  }

  #recall(key: string): Promise<unknown> | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    return "failed" in entry ? Promise.reject(new Error(entry.failed)) : Promise.resolve(entry.value);
  }

  async #work(key: string, work: () => unknown): Promise<unknown> {
    try {
      const value = toJsonValue(await work(), `the result of once("${key}")`);
      this.#entries.set(key, value === undefined ? {} : { value });
      return value;
    } catch (error) {
      // What asks a question is done again with the answer. Anything else may have done half of its work, and must not do it again.
      if (error instanceof Error && error.name === "Suspension") throw error;
      this.#entries.set(key, { failed: error instanceof Error ? error.message : String(error) });
      throw error;
    }
  }
}

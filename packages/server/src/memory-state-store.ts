import { MortiseError } from "@mortise/core";
import { expectOption } from "./check-options.js";
import type { StateStore } from "./state-options.js";

/** What a store in memory may grow to. Beyond either limit the oldest state is forgotten. */
export interface MemoryStateStoreOptions {
  /** How many states are kept. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** How many bytes they have together. @default 67_108_864 */
  readonly maxBytes?: number | undefined;
}

/** A store in memory, which answers at once. */
export interface MemoryStateStore extends StateStore {
  set(id: string, text: string, ttlMs: number): void;
  get(id: string): string | undefined;
  take(id: string): string | undefined;
}

interface Entry {
  readonly text: string;
  readonly expires: number;
}

/**
 * Keeps state in the memory of this process, for servers that are a single one. Throws `invalid_options`; `set` throws
 * `state_too_large` for a text that is larger than the whole store.
 */
export function createMemoryStateStore(options: MemoryStateStoreOptions = {}): MemoryStateStore {
  const { maxEntries = 10_000, maxBytes = 67_108_864 } = options;
  expectOption(Number.isSafeInteger(maxEntries) && maxEntries > 0, '"maxEntries"', "a positive integer", maxEntries);
  expectOption(Number.isSafeInteger(maxBytes) && maxBytes > 0, '"maxBytes"', "a positive integer", maxBytes);
  const entries = new Map<string, Entry>(); // the oldest first
  let bytes = 0;

  function forget(id: string, entry: Entry | undefined): void {
    if (entry === undefined) return;
    entries.delete(id);
    bytes -= entry.text.length;
  }

  function read(id: string): string | undefined {
    const entry = entries.get(id);
    if (entry === undefined || entry.expires > Date.now()) return entry?.text;
    forget(id, entry);
    return undefined;
  }

  /** Needs no timer: the limits hold without one. */
  function makeRoom(): void {
    for (const [id, entry] of entries) {
      if (entries.size <= maxEntries && bytes <= maxBytes && entry.expires > Date.now()) return;
      forget(id, entry);
    }
  }

  return {
    set(id, text, ttlMs) {
      if (text.length > maxBytes)
        throw new MortiseError(
          "state_too_large",
          `Expected a text of at most ${maxBytes} bytes, received ${text.length}`,
        );
      forget(id, entries.get(id));
      entries.set(id, { text, expires: Date.now() + ttlMs });
      bytes += text.length;
      makeRoom();
    },
    get: read,
    take(id) {
      const text = read(id);
      forget(id, entries.get(id));
      return text;
    },
  };
}

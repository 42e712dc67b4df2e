import type { SessionRecord, SessionStore } from "./session-store.js";

interface Kept {
  readonly record: SessionRecord;
  /** When it has been idle for too long, in milliseconds since 1970. */
  readonly until: number;
}

/** What the limits of the memory are, and what they spare. */
export interface MemoryLimits {
  readonly maxSessions: number;
  /** Whether something of a session is being worked on: such a one is neither idle nor pushed out. */
  readonly isBusy: (id: string) => boolean;
}

/**
 * Sessions in this process's memory. All live equally long, so that they stand in the order of their last use; those at the front
 * go when something else comes, and no timer is needed.
 */
export class MemorySessions implements SessionStore {
  readonly #limits: MemoryLimits;
  readonly #kept = new Map<string, Kept>();

  constructor(limits: MemoryLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#kept.size;
  }

  get(id: string): SessionRecord | undefined {
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    if (!this.#isOver(id, kept)) return kept.record;
    this.#kept.delete(id);
    return undefined;
  }

  set(id: string, record: SessionRecord, ttlMs: number): void {
    this.#expire();
    this.#kept.delete(id); // a map keeps its order: now it is the youngest
    this.#kept.set(id, { record, until: Date.now() + ttlMs });
  }

  touch(id: string, ttlMs: number): void {
    const record = this.get(id);
    if (record !== undefined) this.set(id, record, ttlMs);
  }

  delete(id: string): boolean {
    return this.#kept.delete(id);
  }

  /** Whether there is room for one more session, if need be in the place of an idle one. */
  get hasRoom(): boolean {
    return this.#kept.size < this.#limits.maxSessions || this.#findIdle() !== undefined;
  }

  /** Makes room for one more session, if need be by pushing out the one that has been idle for longest. */
  makeRoom(): void {
    this.#expire();
    const idle = this.#kept.size < this.#limits.maxSessions ? undefined : this.#findIdle();
    if (idle !== undefined) this.#kept.delete(idle);
  }

  #findIdle(): string | undefined {
    for (const id of this.#kept.keys()) if (!this.#limits.isBusy(id)) return id;
    return undefined;
  }

  /** Lets go of what has been idle for too long, at most a few at a time: whoever comes pays for them. */
  #expire(): void {
    let looked = 0;
    for (const [id, kept] of this.#kept) {
      looked += 1;
      if (looked > 32 || kept.until > Date.now()) return;
      if (this.#isOver(id, kept)) this.#kept.delete(id);
    }
  }

  #isOver(id: string, { until }: Kept): boolean {
    return until <= Date.now() && !this.#limits.isBusy(id);
  }
}

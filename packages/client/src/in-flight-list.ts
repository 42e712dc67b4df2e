import type { Progress } from "./options.js";

/** Something that is on its way, and knows its neighbours while it is. */
export interface InFlight {
  previous: InFlight | undefined;
  next: InFlight | undefined;
  drop(error: Error): void;
  /** Takes progress that came by another way, if it is its own by the token. */
  reportProgress?(token: unknown, progress: Progress | undefined): void;
}

/**
 * What is on its way, so that closing can end it. A list through the entries themselves: adding and removing as many
 * entries as there are calls makes a `Set` replace its table again and again, and V8 keeps what the dead tables hold
 * alive until the next full collection, which doubles the cost of collecting.
 */
export class InFlightList {
  #first: InFlight | undefined;

  add(entry: InFlight): void {
    entry.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = entry;
    this.#first = entry;
  }

  /** Takes an entry out. Does nothing when it is out already. */
  remove(entry: InFlight): void {
    const { previous, next } = entry;
    if (previous === undefined && this.#first !== entry) return;
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next !== undefined) next.previous = previous;
    entry.previous = undefined;
    entry.next = undefined;
  }

  /** Shows progress to every entry. */
  reportProgress(token: unknown, progress: Progress | undefined): void {
    for (let entry = this.#first; entry !== undefined; entry = entry.next) entry.reportProgress?.(token, progress);
  }

  /** Ends every entry; each takes itself out. */
  dropAll(reason: Error): void {
    for (let entry = this.#first; entry !== undefined; entry = this.#first) {
      this.remove(entry);
      entry.drop(reason);
    }
  }
}

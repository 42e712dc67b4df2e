import { isThenable } from "@mortise/core";

/** Who is sent the notices. */
export interface NoticeReader {
  /** Sends one. Gives a promise while the reader is behind. */
  send(notice: string): void | Promise<void>;
  /** Is told what sending fails with. */
  fail(error: unknown): void;
}

/**
 * Notices of changes on their way to one reader. Each is remembered once until the reader has room for it: a second one would
 * tell nothing new, or takes the place of the first. So a reader that stands still costs no more than one of each kind.
 */
export class DueNotices {
  readonly #reader: NoticeReader;
  /** By what they are about. */
  #due: Map<string, string> | undefined;
  /** Whether the end of the turn, or the reader, is waited for. */
  #waiting = false;

  constructor(reader: NoticeReader) {
    this.#reader = reader;
  }

  /** Sends a notice at the end of this turn, or as soon as the reader has room. A later one about the same takes its place. */
  add(notice: string, about: string = notice): void {
    this.#due ??= new Map();
    this.#due.set(about, notice);
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => this.#sendDue());
  }

  /** Sends what is due now, whether or not there is room: nothing will follow. */
  flush(): void {
    const due = this.#due?.values() ?? [];
    this.#due = undefined;
    for (const notice of due) void this.#try(notice);
  }

  /** Forgets what is due. */
  clear(): void {
    this.#due = undefined;
  }

  #sendDue(): void {
    this.#waiting = false;
    const due = this.#due;
    if (due === undefined) return;
    for (const [about, notice] of due) {
      due.delete(about);
      const behind = this.#try(notice);
      if (behind === undefined) continue;
      this.#waiting = true;
      void behind.then(() => this.#sendDue());
      return;
    }
    this.#due = undefined;
  }

  /** Nobody waits for what is sent here, so that a failure would be a stray one. */
  #try(notice: string): Promise<void> | undefined {
    try {
      const behind = this.#reader.send(notice);
      return isThenable(behind) ? behind.catch((error: unknown) => this.#reader.fail(error)) : undefined;
    } catch (error) {
      this.#reader.fail(error);
      return undefined;
    }
  }
}

import type { EventStore, StoredEvent } from "./event-store.js";
import type { SessionParts } from "./index.js";
import type { StreamReader } from "./stream-reader.js";

/** What streams are kept with. */
export interface Keeping {
  readonly parts: SessionParts;
  readonly store: EventStore;
}

/** What an event is kept as that says no other follows. Messages are objects or arrays, so that none is taken for it. */
export const END = "!";

/** What those who write and read a stream tell each other, in whatever process they are. */
export type StreamWord =
  /** There are further events in the store. */
  | { readonly kind: "more" }
  /** A reader has taken the stream over from all others. */
  | { readonly kind: "taken"; readonly by: string }
  /** Whoever reads it, please end the connection: the client comes back later. */
  | { readonly kind: "close"; readonly retry: number };

/** The topic of one stream. */
export function streamTopic(name: string): string {
  return `stream/${name}`;
}

/** Notices that wait for a slow store are dropped beyond this many. */
const MAX_WAITING = 1_000;
/** An id goes into a line of its own, and comes back in a header. */
const EVENT_ID = /^[!-~]{1,1024}$/;

/** Tells whether something has the form of an event's id. */
export function isEventId(id: unknown): id is string {
  return typeof id === "string" && EVENT_ID.test(id);
}

/** The writing end of a stream: keeps events in their order, and has them read. */
export class KeptStream {
  /** Reads the stream in this process. */
  reader: StreamReader | undefined;
  readonly #keeping: Keeping;
  readonly #name: string;
  readonly #writers: "one" | "several";
  #previous: string | undefined;
  #queue: Promise<void> | undefined;
  #waiting = 0;

  /** With one writer, its reader is handed events. Otherwise it has to look for those of others in between. */
  constructor(keeping: Keeping, name: string, writers: "one" | "several") {
    this.#keeping = keeping;
    this.#name = name;
    this.#writers = writers;
  }

  /** Keeps a notice, unless the store or the reader is so far behind that it is dropped. Gives a promise while one is behind. */
  send(notice: string): void | Promise<void> {
    if (this.reader?.full === true) return this.reader.behind;
    return this.#waiting > MAX_WAITING ? this.#queue : this.add(notice);
  }

  /** Keeps one event. Gives a promise, which never rejects, while the store or the reader is behind. */
  add(data: string): void | Promise<void> {
    return this.next(() => this.#keep(data)) ?? this.reader?.behind;
  }

  /** Does something once everything before is kept: at once, if it is. */
  next(step: () => void | Promise<void>): void | Promise<void> {
    const queued = this.#queue === undefined ? step() : this.#queue.then(step);
    if (queued === undefined) return;
    this.#queue = queued;
    this.#waiting += 1;
    return queued.then(() => {
      this.#waiting -= 1;
      if (this.#queue === queued) this.#queue = undefined;
    });
  }

  /** Tells everybody who reads the stream elsewhere. */
  tell(word: StreamWord): void {
    this.#keeping.parts.server.inside.core.publish(streamTopic(this.#name), word);
  }

  #keep(data: string): void | Promise<void> {
    const { store, parts } = this.#keeping;
    const pass = (id: unknown): void => this.#pass(id, data);
    const fail = (error: unknown): void => {
      parts.policy().onError(error);
      this.#pass(undefined, data);
    };
    try {
      const id = store.append(this.#name, data);
      if (parts.isThenable(id)) return id.then(pass, fail);
      pass(id);
    } catch (error) {
      fail(error);
    }
  }

  /** An event that could not be kept is of use to a reader that is here. */
  #pass(id: unknown, data: string): void {
    const event = { id: isEventId(id) ? id : undefined, data };
    if (this.reader === undefined || this.reader.over) this.tell({ kind: "more" });
    else if (this.#writers === "one" || !this.reader.begun) this.reader.take(event, this.#previous);
    else this.reader.look();
    this.#previous = event.id ?? this.#previous;
  }
}

/** An event as its writer has it: without an id where it could not be kept. */
export type PassedEvent = Pick<StoredEvent, "data"> & { readonly id: string | undefined };

import type { EventSink } from "../event-sink.js";
import { END, type Keeping, type PassedEvent, type StreamWord, streamTopic } from "./kept-stream.js";
import { createRandomId } from "./random-id.js";

/** Where a stream is read to. */
export interface Reading {
  readonly name: string;
  readonly sink: EventSink;
  /** The event behind which the reading begins. Left out for a stream that begins with this reader. */
  readonly last?: string | undefined;
  /** Whether the client understands events that tell nothing but their id. */
  readonly primes: boolean;
  /** Runs once, when the connection was ended here. */
  readonly onClosed?: (() => void) | undefined;
}

/**
 * The reading end of a stream: one connection. The last one to take a stream is the only one; whatever it has not been handed, it
 * finds in the store, so that nothing is lost where one reader follows another.
 */
export class StreamReader {
  readonly #keeping: Keeping;
  readonly #reading: Reading;
  readonly #leave: () => void;
  /** This reader, as the others see it. */
  readonly #self = createRandomId();
  #last: string | undefined;
  /** Whether the client knows where to go on. */
  #resumable: boolean;
  #over = false;
  #looking = false;
  #lookAgain = false;

  constructor(keeping: Keeping, reading: Reading) {
    this.#keeping = keeping;
    this.#reading = reading;
    this.#last = reading.last;
    this.#resumable = reading.last !== undefined;
    const { core } = keeping.parts.server.inside;
    this.#leave = core.changes.watch([streamTopic(reading.name)], (_, data) => this.#hear(data));
  }

  /** Whether the connection has ended. */
  get over(): boolean {
    return this.#over;
  }

  /** Whether it is known what comes next. */
  get begun(): boolean {
    return this.#last !== undefined;
  }

  /** Resolves once the client has caught up. */
  get behind(): Promise<void> | undefined {
    return this.#over ? undefined : this.#reading.sink.behind;
  }

  /** Whether the client is so far behind that what can be dropped is. */
  get full(): boolean {
    return !this.#over && this.#reading.sink.full;
  }

  /** Begins, in the place of every other reader. */
  begin(): void {
    if (this.#over) return; // the client has left meanwhile
    // Some clients forget where they were once a connection ends that has told them no id.
    if (this.#last !== undefined) this.#write(this.#last, "");
    this.#tell({ kind: "taken", by: this.#self });
    this.look();
  }

  /** Takes the event that was kept behind `previous`. */
  take({ id, data }: PassedEvent, previous: string | undefined): void {
    if (this.#over) return;
    if (id !== undefined && (this.#looking || this.#last !== previous)) this.look();
    else this.#write(id, data);
  }

  /** Looks for events in the store. */
  look(): void {
    this.#lookAgain = true;
    if (!this.#looking && this.#last !== undefined) void this.#look();
  }

  /** Ends the connection, after which the client comes back, if it knows where to go on. */
  pause(retry: number): void {
    if (this.#over || !this.#resumable) return;
    void this.#reading.sink.push(`retry: ${retry}\n\n`);
    this.close();
  }

  /** Ends the connection. */
  close(): void {
    if (this.#over) return;
    this.stop();
    this.#reading.sink.end();
    this.#reading.onClosed?.();
  }

  /** Writes nothing any more: the client has left. */
  stop(): void {
    this.#over = true;
    this.#leave();
  }

  async #look(): Promise<void> {
    this.#looking = true;
    try {
      while (this.#lookAgain && !this.#over) {
        this.#lookAgain = false;
        await this.#forward();
      }
    } catch (error) {
      this.#keeping.parts.policy().onError(error); // whoever calls next tries again
    } finally {
      this.#looking = false;
    }
  }

  async #forward(): Promise<void> {
    const found = await this.#keeping.store.after(this.#last ?? "");
    // What is no longer known has ended with its session.
    if (found === undefined) this.close();
    for (const { id, data } of found?.events ?? []) {
      if (this.#over) return;
      this.#write(id, data);
      await this.behind;
    }
  }

  #write(id: string | undefined, data: string): void {
    this.#last = id ?? this.#last;
    if (data === END) {
      this.close();
      return;
    }
    if (data === "" && !this.#reading.primes) return;
    this.#resumable ||= id !== undefined;
    void this.#reading.sink.push(`${id === undefined ? "" : `id: ${id}\n`}data: ${data}\n\n`);
  }

  #hear(data: unknown): void {
    if (!this.#keeping.parts.isObject(data)) return;
    const word = data as unknown as StreamWord; // every member is looked at below
    switch (word.kind) {
      case "more":
        this.look();
        break;
      case "taken":
        if (word.by === this.#self) return;
        this.close();
        // What was written here meanwhile, the new reader may have missed.
        this.#tell({ kind: "more" });
        break;
      case "close":
        if (Number.isSafeInteger(word.retry) && word.retry >= 0) this.pause(word.retry);
        break;
    }
  }

  #tell(word: StreamWord): void {
    this.#keeping.parts.server.inside.core.publish(streamTopic(this.#reading.name), word);
  }
}

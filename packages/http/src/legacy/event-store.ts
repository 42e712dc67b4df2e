/** One event of a stream, as it is kept. */
export interface StoredEvent {
  readonly id: string;
  readonly data: string;
}

/** What is left of a stream behind one of its events. */
export interface StoredEvents {
  readonly stream: string;
  /** Oldest first. */
  readonly events: readonly StoredEvent[];
  /** Whether events right behind the one that was asked for are no longer kept. @default false */
  readonly dropped?: boolean | undefined;
}

/**
 * Keeps the events of legacy streams, so that a client whose connection broke can go on where it was. A store that several processes
 * share, together with a bus, lets a client go on at any of them. Names of streams cannot be guessed; neither can ids made of them.
 */
export interface EventStore {
  /**
   * Keeps the next event of a stream. Gives its id: visible ASCII, unique among all streams, and enough to find the stream again. The
   * data is kept as it is; it may be empty. Called for one event of a stream after the other, never twice at the same time.
   */
  append(stream: string, data: string): string | Promise<string>;
  /** Gives the later events of the stream that an event belongs to, or `undefined` for an id that the store does not know. */
  after(eventId: string): StoredEvents | undefined | Promise<StoredEvents | undefined>;
  /** Lets go of every stream whose name begins with this text and a dot: their session has ended. @default nothing is done */
  forget?(owner: string): void | Promise<void>;
}

/** How much is kept in memory. What is oldest goes first. */
export interface EventLimits {
  /** Events of one stream. @default 1_000 */
  readonly maxEvents?: number | undefined;
  /** Characters of one stream; its newest event is kept whatever its length. @default 4_194_304 */
  readonly maxStreamLength?: number | undefined;
  /** Characters of all streams. @default 67_108_864 */
  readonly maxLength?: number | undefined;
  /** Milliseconds. @default 600_000 */
  readonly maxAge?: number | undefined;
  /** Streams without an event that are remembered, so that their ids are still known. @default 10_000 */
  readonly maxEmptyStreams?: number | undefined;
}

interface Kept extends StoredEvent {
  readonly number: number;
  readonly size: number;
  readonly time: number;
  readonly stream: KeptStream;
  /** Neighbours in the line of the events of all streams. */
  older: Kept | undefined;
  younger: Kept | undefined;
}

interface KeptStream {
  readonly name: string;
  readonly events: Kept[];
  length: number;
  /** The number of the newest event. */
  newest: number;
  /** The number of the newest event that is no longer kept. */
  dropped: number;
}

/** What an event takes besides its data. */
const EVENT_SIZE = 128;
const EVENT_ID = /^(.{1,256})\.(\d{1,15})$/;

/** Keeps events in this process's memory. What is too old goes when something else comes, so that no timer is needed. */
export class MemoryEventStore implements EventStore {
  readonly #limits: Required<{ readonly [Limit in keyof EventLimits]: number }>;
  readonly #streams = new Map<string, KeptStream>();
  /** The same, by what their names begin with. */
  readonly #owners = new Map<string, Set<KeptStream>>();
  /** Streams that lost their last event, the one that did so first in front. */
  readonly #empty = new Set<KeptStream>();
  #oldest: Kept | undefined;
  #youngest: Kept | undefined;
  #length = 0;
  /** No stream that was forgotten has a higher number, so that numbers from here on are unique. */
  #forgotten = 0;

  constructor(limits: EventLimits = {}) {
    this.#limits = {
      maxEvents: limits.maxEvents ?? 1_000,
      maxStreamLength: limits.maxStreamLength ?? 4_194_304,
      maxLength: limits.maxLength ?? 67_108_864,
      maxAge: limits.maxAge ?? 600_000,
      maxEmptyStreams: limits.maxEmptyStreams ?? 10_000,
    };
  }

  append(name: string, data: string): string {
    const stream = this.#find(name);
    stream.newest += 1;
    const id = `${name}.${stream.newest}`;
    const size = data.length + EVENT_SIZE;
    const order = { number: stream.newest, time: Date.now(), older: this.#youngest, younger: undefined };
    const event: Kept = { id, data, size, stream, ...order };
    if (this.#youngest === undefined) this.#oldest = event;
    else this.#youngest.younger = event;
    this.#youngest = event;
    stream.events.push(event);
    stream.length += size;
    this.#length += size;
    this.#limit(stream);
    this.#expire();
    return id;
  }

  after(eventId: string): StoredEvents | undefined {
    this.#expire();
    const [, name = "", digits] = EVENT_ID.exec(eventId) ?? [];
    const stream = this.#streams.get(name);
    const number = Number(digits);
    if (stream === undefined || number === 0 || number > stream.newest) return undefined;
    const first = stream.events[0]?.number ?? 0;
    const events = stream.events.slice(Math.max(number + 1 - first, 0)).map(({ id, data }) => ({ id, data }));
    return { stream: name, events, dropped: number < stream.dropped };
  }

  forget(owner: string): void {
    for (const stream of this.#owners.get(owner) ?? []) {
      while (stream.events.length > 0) this.#drop(stream);
      this.#forget(stream);
    }
  }

  #find(name: string): KeptStream {
    const known = this.#streams.get(name);
    if (known !== undefined) {
      this.#empty.delete(known);
      return known;
    }
    const number = this.#forgotten;
    const stream: KeptStream = { name, events: [], length: 0, newest: number, dropped: number };
    this.#streams.set(name, stream);
    const owner = readOwner(name);
    this.#owners.set(owner, (this.#owners.get(owner) ?? new Set()).add(stream));
    return stream;
  }

  #limit(stream: KeptStream): void {
    const { maxEvents, maxStreamLength } = this.#limits;
    while (stream.events.length > Math.max(maxEvents, 1)) this.#drop(stream);
    while (stream.length > maxStreamLength && stream.events.length > 1) this.#drop(stream);
  }

  /** Lets go of what is too old, and of the oldest events while all of them are too much. */
  #expire(): void {
    const { maxLength, maxAge } = this.#limits;
    const horizon = Date.now() - maxAge;
    while (this.#oldest !== undefined && (this.#oldest.time < horizon || this.#length > maxLength))
      this.#drop(this.#oldest.stream);
  }

  /** Lets go of the oldest event of a stream. */
  #drop(stream: KeptStream): void {
    const event = stream.events.shift();
    if (event === undefined) return;
    if (event.older === undefined) this.#oldest = event.younger;
    else event.older.younger = event.younger;
    if (event.younger === undefined) this.#youngest = event.older;
    else event.younger.older = event.older;
    stream.length -= event.size;
    this.#length -= event.size;
    stream.dropped = event.number;
    if (stream.events.length === 0) this.#rememberEmpty(stream);
  }

  #rememberEmpty(stream: KeptStream): void {
    this.#empty.add(stream);
    if (this.#empty.size <= this.#limits.maxEmptyStreams) return;
    const [longest] = this.#empty;
    if (longest !== undefined) this.#forget(longest);
  }

  #forget(stream: KeptStream): void {
    this.#empty.delete(stream);
    this.#streams.delete(stream.name);
    this.#forgotten = Math.max(this.#forgotten, stream.newest);
    const owner = readOwner(stream.name);
    const streams = this.#owners.get(owner);
    streams?.delete(stream);
    if (streams?.size === 0) this.#owners.delete(owner);
  }
}

function readOwner(name: string): string {
  const dot = name.indexOf(".");
  return dot === -1 ? name : name.slice(0, dot);
}

import type { KeptSink } from "../answer.js";
import type { EdgeReply } from "../edge-reply.js";
import type { EventSink } from "../event-sink.js";
import type { KeepAlive } from "../keep-alive.js";
import type { Visit } from "../visit.js";
import { type EventStore, MemoryEventStore } from "./event-store.js";
import type { SessionParts } from "./index.js";
import { KeptAnswer } from "./kept-answer.js";
import { isEventId, type Keeping, KeptStream, streamTopic } from "./kept-stream.js";
import { openReader } from "./open-reader.js";
import { createRandomId } from "./random-id.js";
import type { Session } from "./session.js";
import type { OpenStream } from "./session-streams.js";

/** What a stream that belongs to no request has to do with its session. */
export interface Listening {
  /** Adds the stream to those of its session. Returns the function that takes it away. */
  readonly join: (stream: OpenStream) => () => void;
  /** Whether the session has another stream with a client at its end. */
  readonly hasOthers: (stream: OpenStream) => boolean;
}

/** Where a stream is gone on with. */
export interface Place {
  readonly name: string;
  /** The event to go on behind. */
  readonly last: string;
}

/** How long the messages of a session are kept that has lost its stream, in milliseconds, unless the client comes back. */
const GRACE = 60_000;
/** Stands in the names of streams that belong to no request. */
const OWN = "own";
const TAKEN_OVER: EdgeReply = Object.freeze({ status: 0 });

/**
 * Streams of sessions that go on where their client lost them. Every name of a stream begins with what its session alone knows, so
 * that an event's id opens nothing to anybody else.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export class Resumption {
  readonly #parts: SessionParts;
  readonly #keeping: Keeping;
  readonly #grace: KeepAlive;

  constructor(parts: SessionParts, store: true | EventStore) {
    this.#parts = parts;
    this.#keeping = { parts, store: store === true ? new MemoryEventStore() : store };
    this.#grace = parts.createBeat(GRACE);
  }

  /** Makes what the names of a new session's streams begin with. */
  createKey(): string {
    return createRandomId();
  }

  /** Lets go of what was kept for a session that has ended. */
  async forget({ record }: Session): Promise<void> {
    if (record.streams !== undefined) await this.#keeping.store.forget?.(record.streams);
  }

  /** Lets the events of an answer outlive their connection. */
  keepAnswer(session: Session, key: string, sink: EventSink): KeptSink {
    return new KeptAnswer(this.#keeping, {
      name: `${key}.${createRandomId()}`,
      sink,
      primes: session.revision.priming,
    });
  }

  /** Goes on with the stream of an answer, or hands its place to `listen`, if it is a stream that belongs to no request. */
  async resume(visit: Visit, { record, revision }: Session, listen: (place: Place) => EdgeReply): Promise<EdgeReply> {
    const { refuse, server } = this.#parts;
    const last = visit.exchange.header("last-event-id") ?? "";
    const found = isEventId(last) ? await this.#keeping.store.after(last) : undefined;
    // Events of another session are not told apart from events that never were.
    if (found === undefined || record.streams === undefined || !found.stream.startsWith(`${record.streams}.`))
      return refuse(400, "Expected the Last-Event-ID header to name an event of this session");
    if (found.dropped && found.events.length === 0)
      return refuse(410, "The events behind the one that Last-Event-ID names are no longer kept");
    const place = { name: found.stream, last };
    if (found.stream.startsWith(`${record.streams}.${OWN}.`)) return listen(place);
    if (server.closed) return refuse(503, "The server is closing", ["Retry-After", "1"]);
    openReader(this.#keeping, visit, { ...place, primes: revision.priming });
    return TAKEN_OVER;
  }

  /** Opens a stream that belongs to no request, or goes on with one. */
  listen(visit: Visit, { record, revision }: Session, { join, hasOthers }: Listening, place?: Place): EdgeReply {
    const { server, refuse } = this.#parts;
    if (server.closed) return refuse(503, "The server is closing", ["Retry-After", "1"]);
    const name = place?.name ?? `${record.streams}.${OWN}.${createRandomId()}`;
    const stream = new KeptStream(this.#keeping, name, "several");
    let endGrace: (() => void) | undefined;
    const open: OpenStream = {
      sink: { send: (notice) => stream.send(notice), deliver: (message) => void stream.add(message) },
      get away() {
        return endGrace !== undefined;
      },
      close: () => (endGrace === undefined ? stream.reader?.close() : endGrace()),
    };
    const leave = join(open);
    const onOver = (how: "left" | "closed"): void => {
      // What another stream can take need not wait for this client.
      if (how === "closed" || hasOthers(open)) leave();
      else endGrace = this.#keepForAWhile(name, leave);
    };
    stream.reader = openReader(this.#keeping, visit, { name, last: place?.last, primes: revision.priming, onOver });
    if (place === undefined) void stream.add("");
    return TAKEN_OVER;
  }

  /** Lets a stream without a connection take messages until the client comes back, or for some time. Returns what ends this. */
  #keepForAWhile(name: string, leave: () => void): () => void {
    const { server, isObject } = this.#parts;
    const { core } = server.inside;
    const stops: (() => void)[] = [];
    const end = (): void => {
      for (const stop of stops.splice(0)) stop();
      leave();
    };
    const hear = (_: string, word: unknown): void => {
      if (isObject(word) && word.kind === "taken") end();
    };
    stops.push(core.changes.watch([streamTopic(name)], hear), this.#grace.start(end), core.onClose(end));
    return end;
  }
}

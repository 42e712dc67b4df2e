import type { EventSink } from "../event-sink.js";
import type { SessionParts } from "./index.js";
import { createRandomId } from "./random-id.js";

type Announcer = ReturnType<SessionParts["server"]["inside"]["createAnnouncer"]>;

/** An open event stream of a session. */
export interface OpenStream {
  readonly sink: Pick<EventSink, "send" | "deliver">;
  /** Whether its client has left, and may come back for what is sent meanwhile. */
  readonly away?: boolean | undefined;
  close(): void;
}

/** What processes that hold streams of the same session tell each other. */
export type Word =
  /** Somebody has opened one. */
  | { readonly kind: "held"; readonly by: string }
  | { readonly kind: "left"; readonly by: string }
  /** Whoever's turn it is, please send this and say so. */
  | { readonly kind: "send"; readonly text: string; readonly token: string }
  | { readonly kind: "sent"; readonly token: string }
  /** The client begins to watch a resource, or ends that. The record says so already. */
  | { readonly kind: "watched"; readonly uri: string; readonly isWatched: boolean };

/** How many streams of one session are kept open in this process. */
const MAX_STREAMS = 8;

/** The topic of a session's streams. */
export function sessionTopic(session: string): string {
  return `session/${session}`;
}

/**
 * The event streams of one session in this process. Whatever is sent goes to exactly one: the newest, of whatever process. The
 * others are kept open and step in once it is gone.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#multiple-connections
 */
export class SessionStreams {
  readonly #session: string;
  readonly #parts: SessionParts;
  readonly #streams: OpenStream[] = [];
  /** This process, as the others see it. */
  readonly #self = createRandomId();
  /** Who holds streams, as far as this process has heard: the one with the newest is last. A bus tells all of them in the same order. */
  readonly #holders = new Set<string>();
  readonly #leave: () => void;
  readonly #announcer: Announcer;
  #watched: readonly string[] = [];

  /** `onWatched` runs when what is watched has changed. */
  constructor(session: string, parts: SessionParts, onWatched: () => void) {
    this.#session = session;
    this.#parts = parts;
    this.#leave = this.#core.changes.watch([sessionTopic(session)], (_, data) => this.#hear(data, onWatched));
    this.#announcer = parts.server.inside.createAnnouncer((notice) => this.#newest?.sink.send(notice));
    this.#announcer.open();
  }

  get size(): number {
    return this.#streams.length;
  }

  /** Whether there is a stream besides this one with a client at its end. */
  hasOthers(stream: OpenStream): boolean {
    return this.#streams.some((other) => other !== stream && other.away !== true);
  }

  add(stream: OpenStream): void {
    if (this.#streams.length === MAX_STREAMS) this.#streams[0]?.close();
    this.#streams.push(stream);
    this.#hold(this.#self); // it may be told so later, or not at all
    this.#tell({ kind: "held", by: this.#self });
  }

  /** Forgets a stream that was closed. The last one takes everything else with it. */
  remove(stream: OpenStream): void {
    const at = this.#streams.indexOf(stream);
    if (at !== -1) this.#streams.splice(at, 1);
    if (this.#streams.length > 0) return;
    this.#leave();
    this.#announcer.close();
    this.#tell({ kind: "left", by: this.#self });
  }

  /** Tells of changes of these single resources from now on, and of no others. */
  watch(uris: readonly string[]): void {
    for (const uri of this.#watched) if (!uris.includes(uri)) this.#announcer.delete(uri);
    for (const uri of uris) this.#announcer.add(uri);
    this.#watched = uris;
  }

  /** Sends a message that must not be dropped. Gives `false` where another process would have to. */
  deliver(message: string): boolean {
    const stream = this.#newest;
    stream?.sink.deliver(message);
    return stream !== undefined;
  }

  close(): void {
    for (const stream of [...this.#streams]) stream.close();
  }

  get #newest(): OpenStream | undefined {
    return [...this.#holders].at(-1) === this.#self ? this.#streams.at(-1) : undefined;
  }

  get #core(): SessionParts["server"]["inside"]["core"] {
    return this.#parts.server.inside.core;
  }

  #tell(word: Word): void {
    this.#core.publish(sessionTopic(this.#session), word);
  }

  /** What comes from other processes is looked at like everything else that comes in. */
  #hear(data: unknown, onWatched: () => void): void {
    if (!this.#parts.isObject(data)) return;
    const { kind, by, text, token, uri, isWatched } = data;
    if (kind === "watched" && typeof uri === "string") {
      // At once, since a change may follow; what the record says counts where two processes speak at the same time.
      const others = this.#watched.filter((each) => each !== uri);
      this.watch(isWatched === true ? [...others, uri] : others);
      onWatched();
    }
    if (kind === "held" && typeof by === "string") this.#hold(by);
    if (kind === "left" && typeof by === "string") this.#holders.delete(by);
    if (kind === "send" && typeof text === "string" && typeof token === "string" && this.deliver(text))
      this.#tell({ kind: "sent", token });
  }

  #hold(by: string): void {
    this.#holders.delete(by); // a set keeps its order: now it is last
    this.#holders.add(by);
  }
}

/** How long another process may take to say that it has sent something, in milliseconds. */
const PATIENCE = 2_000;

/** Has another process send a message on a stream it holds. Resolves with whether one did. */
export function sendElsewhere(parts: SessionParts, session: string, text: string): Promise<boolean> {
  const { core } = parts.server.inside;
  const token = createRandomId();
  return new Promise((resolve) => {
    const settle = (sent: boolean): void => {
      stop();
      leave();
      resolve(sent);
    };
    const leave = core.changes.watch([sessionTopic(session)], (_, data) => {
      if (parts.isObject(data) && data.kind === "sent" && data.token === token) settle(true);
    });
    const stop = parts.createBeat(PATIENCE).start(() => settle(false));
    const word: Word = { kind: "send", text, token };
    core.publish(sessionTopic(session), word);
  });
}

import type { EventSink } from "../event-sink.js";
import type { SessionParts } from "./index.js";
import { createRandomId } from "./random-id.js";

type Announcer = ReturnType<SessionParts["server"]["inside"]["createAnnouncer"]>;

/** An open event stream of a session. */
export interface OpenStream {
  readonly sink: EventSink;
  close(): void;
}

/** What processes that hold streams of the same session tell each other. */
type Word =
  /** Somebody holds a stream since then. */
  | { readonly kind: "held"; readonly by: string; readonly since: number }
  | { readonly kind: "left"; readonly by: string }
  /** Whoever's turn it is, please send this and say so. */
  | { readonly kind: "send"; readonly text: string; readonly token: string }
  | { readonly kind: "sent"; readonly token: string }
  /** What the client watches has changed. */
  | { readonly kind: "watched" };

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
  /** Other processes whose streams come before those of this one. */
  readonly #before = new Set<string>();
  readonly #leave: () => void;
  readonly #announcer: Announcer;
  #watched: readonly string[] = [];
  #since = 0;

  /** `onWatched` runs when another process has changed what is watched. */
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

  add(stream: OpenStream): void {
    if (this.#streams.length === MAX_STREAMS) this.#streams[0]?.close();
    this.#streams.push(stream);
    this.#since = Date.now();
    this.#before.clear();
    this.#tell({ kind: "held", by: this.#self, since: this.#since });
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
    return this.#before.size === 0 ? this.#streams.at(-1) : undefined;
  }

  get #core(): SessionParts["server"]["inside"]["core"] {
    return this.#parts.server.inside.core;
  }

  #tell(word: Word): void {
    this.#core.publish(sessionTopic(this.#session), word);
  }

  #hear(data: unknown, onWatched: () => void): void {
    if (!this.#parts.isObject(data)) return;
    const word = data as unknown as Word; // every member is looked at below
    switch (word.kind) {
      case "held":
        this.#rank(word);
        break;
      case "left":
        this.#before.delete(word.by);
        break;
      case "send":
        if (this.deliver(word.text)) this.#tell({ kind: "sent", token: word.token });
        break;
      case "watched":
        onWatched();
        break;
      case "sent": // for whoever wanted it sent
        break;
    }
  }

  /** Lets the later one be first. Clocks may disagree: what counts is that all come to the same order. */
  #rank({ by, since }: Word & { readonly kind: "held" }): void {
    if (by === this.#self || typeof by !== "string") return;
    const isLater = since > this.#since || (since === this.#since && by > this.#self);
    if (isLater) this.#before.add(by);
    else {
      this.#before.delete(by);
      this.#tell({ kind: "held", by: this.#self, since: this.#since });
    }
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

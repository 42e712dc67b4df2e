import type { Exchange, HeaderList } from "./exchange.js";

const EVENT_HEADERS: HeaderList = [
  "Content-Type",
  "text/event-stream",
  // Neither caches nor compressing middleware may hold events back, nor proxies that buffer.
  "Cache-Control",
  "no-store, no-transform",
  "X-Accel-Buffering",
  "no",
];
/** A comment. */
const KEEP_ALIVE = ":\n\n";
/** Notices are let fall when a peer that reads too slowly has this many bytes to come, since nobody waited for it. */
const MAX_BACKLOG = 1_048_576;
/** Text of one tick beyond this many characters is written at once, so that it is found out whether the peer keeps up. */
const MAX_PENDING = 65_536;

/**
 * The event stream of one answer. Events of one tick leave in one write; the head goes out with the first of them, or,
 * when the answer is complete before that, as one whole answer.
 */
export class EventSink {
  readonly #exchange: Exchange;
  readonly #headers: HeaderList;
  #state: "unsent" | "open" | "closed" = "unsent";
  #pending = "";
  #scheduled = false;
  #behind: Promise<void> | undefined;
  /** Made once, not for each tick. */
  readonly #flushLater = (): void => {
    this.#scheduled = false;
    this.#flush();
  };

  constructor(exchange: Exchange, cors: HeaderList) {
    this.#exchange = exchange;
    this.#headers = cors.length === 0 ? EVENT_HEADERS : [...EVENT_HEADERS, ...cors];
  }

  /** Sends one message. Gives a promise while the peer is behind. */
  send(message: string): void | Promise<void> {
    if (this.#state === "closed") return;
    if (!this.full) this.deliver(message);
    return this.#behind;
  }

  /** Sends one message, however far the peer is behind. */
  deliver(message: string): void {
    void this.push(formatEvent(message));
  }

  /** Sends whole events as they are, however far the peer is behind. Gives a promise while it is. */
  push(events: string): void | Promise<void> {
    if (this.#state === "closed") return;
    this.#append(events);
    return this.#behind;
  }

  /** Resolves once the peer has caught up. Nothing while it keeps up. */
  get behind(): Promise<void> | undefined {
    return this.#state === "closed" ? undefined : this.#behind;
  }

  /** Whether the peer is so far behind that notices are let fall. */
  get full(): boolean {
    return this.#behind !== undefined && this.backlog > MAX_BACKLOG;
  }

  /** How much the peer has not taken yet. */
  get backlog(): number {
    return this.#exchange.backlog + this.#pending.length;
  }

  /** Sends a comment, unless there is something on its way already. */
  keepAlive(): void {
    if (this.#state !== "closed" && this.#behind === undefined && this.#pending === "") this.#append(KEEP_ALIVE);
  }

  /** Sends the last message, if there is one, and closes the stream. */
  end(message?: string): void {
    if (this.#state === "closed") return;
    const text = message === undefined ? this.#pending : this.#pending + formatEvent(message);
    this.#pending = "";
    if (this.#state === "unsent") this.#exchange.reply({ status: 200, headers: this.#headers, text });
    else this.#exchange.end(text);
    this.#state = "closed";
  }

  /** Lets everything fall: the peer has left. */
  drop(): void {
    this.#state = "closed";
    this.#pending = "";
  }

  #append(text: string): void {
    this.#pending += text;
    if (this.#pending.length > MAX_PENDING) this.#flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#exchange.defer(this.#flushLater);
    }
  }

  #flush(): void {
    if (this.#state === "closed" || this.#pending === "") return;
    const text = this.#pending;
    this.#pending = "";
    if (this.#state === "unsent") {
      this.#state = "open";
      this.#exchange.begin(this.#headers);
    }
    if (this.#exchange.write(text) || this.#behind !== undefined) return;
    this.#behind = new Promise((resolve) => {
      this.#exchange.whenDrained(() => {
        this.#behind = undefined;
        resolve();
      });
    });
  }
}

/** The data of an event ends with its line, and JSON as it is sent here has no line breaks. */
function formatEvent(json: string): string {
  return `data: ${json}\n\n`;
}

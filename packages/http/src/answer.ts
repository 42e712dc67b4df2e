import type { Call, Carrier, Sealed } from "@mortise/server/transport";
import { sendEdgeReply } from "./edge-answer.js";
import { type EdgeReply, refuse } from "./edge-reply.js";
import { EventSink } from "./event-sink.js";
import type { Exchange, HeaderList } from "./exchange.js";
import type { KeepAlive } from "./keep-alive.js";
import type { Policy } from "./policy.js";
import type { Visit } from "./visit.js";

const JSON_HEADERS: HeaderList = ["Content-Type", "application/json"];
const CLOSED: EdgeReply = { ...refuse(503, "The server is closing"), headers: ["Retry-After", "1"] };

/** Where the events of an answer go. */
type Sink = Pick<EventSink, "send" | "deliver" | "keepAlive" | "end" | "drop">;

/** A stream that outlives its connection: what comes after that is kept until the client asks for it. */
export interface KeptSink extends Sink {
  /** Whether the connection has ended. */
  readonly detached: boolean;
  /** Ends the connection if the client knows where to go on, which it is to do after so many milliseconds. */
  pause(retry: number): void;
}

/** How long an answer is owed, and to whom. */
interface Waiting {
  readonly calls: readonly Call[];
  readonly abortsOnDisconnect: boolean;
  readonly keepAlive: KeepAlive;
}

/**
 * The answer to one POST, and the carrier of its notices. JSON, unless a notice is sent before the answer is complete or
 * nothing happens for a whole keep-alive interval; then an event stream.
 */
export class Answer implements Carrier {
  readonly transport = "http";
  readonly versions: readonly string[];
  readonly principal: string | undefined;
  readonly auth: unknown;
  readonly context: unknown;
  /** Looks up a header of the request. */
  readonly header: (name: string) => string | undefined;
  /** Whether changes can be announced to this caller, in the answer to a request for them. */
  announces = false;
  /** Makes an event stream outlive its connection. Set before anything is sent. */
  keep: ((sink: EventSink) => KeptSink) | undefined;
  readonly #exchange: Exchange;
  readonly #visit: Visit;
  readonly #streams: "never" | "on notice" | "always";
  #sink: Sink | undefined;
  #kept: KeptSink | undefined;
  #over = false;
  #stopKeepAlive: (() => void) | undefined;

  constructor(visit: Visit, policy: Policy) {
    const { exchange } = visit;
    this.versions = policy.versions;
    this.principal = visit.principal;
    this.auth = visit.auth;
    this.context = exchange.context;
    this.header = (name) => exchange.header(name);
    this.#exchange = exchange;
    this.#visit = visit;
    this.#streams = chooseStreaming(visit, policy);
  }

  /** Sends one notice, where the peer reads event streams. */
  send(notice: string): void | Promise<void> {
    if (this.#over || this.#streams === "never") return;
    return this.#open().send(notice);
  }

  /** Whether messages can be sent before the answer is complete. */
  get streams(): boolean {
    return this.#streams !== "never";
  }

  /** Sends a message that must not be dropped. Gives `false` where it cannot go this way any more. */
  deliver(message: string): boolean {
    if (this.#over || this.#streams === "never") return false;
    this.#open().deliver(message);
    return true;
  }

  /** Begins the event stream, where the peer reads one, although there is nothing to be sent yet. */
  begin(): void {
    if (!this.#over && this.#streams !== "never") this.#open();
  }

  /** Ends the connection, although the answer is not complete, where the client can ask for the rest later. */
  pause(retry: number): void {
    if (this.#over || this.#streams === "never" || this.keep === undefined) return;
    this.#open();
    this.#kept?.pause(retry);
  }

  /** Watches the connection, and the server, while the calls are being worked on. */
  wait({ calls, abortsOnDisconnect, keepAlive }: Waiting): void {
    for (const call of calls) call.onCancelled = () => this.abandon();
    if (this.#streams !== "never") this.#stopKeepAlive = keepAlive.start(() => this.#open().keepAlive());
    this.#exchange.whenGone(() => {
      if (this.#over || this.#kept?.detached === true) return;
      if (this.#kept === undefined || abortsOnDisconnect) this.#finish();
      this.#sink?.drop();
      // What goes on for as long as its caller stays is of no use to anybody else.
      for (const call of calls) if (abortsOnDisconnect || call.method?.needs === "announces") call.cancel();
    });
  }

  /** Completes the answer. */
  complete(sealed: Sealed): void {
    if (this.#over) return;
    this.#finish();
    const { status, kept } = sealed;
    if (this.#sink !== undefined) this.#sink.end(sealed.text);
    else if (this.#streams === "always" && status === 200) this.#open().end(sealed.text);
    else {
      const more = this.#visit.headers;
      const headers = more.length === 0 ? JSON_HEADERS : [...JSON_HEADERS, ...more];
      if (kept === undefined) this.#exchange.reply({ status, headers, text: sealed.text });
      else this.#exchange.reply({ status, headers, text: kept.head, tail: kept.tail.bytes });
    }
  }

  /**
   * Ends without an answer. Whoever cancels a call that still has a caller is the server, which is closing; a handler
   * that does not look at its signal may never end.
   */
  abandon(reply: EdgeReply = CLOSED): void {
    if (this.#over) return;
    this.#finish();
    if (this.#sink !== undefined) this.#sink.end();
    else sendEdgeReply(this.#exchange, this.#visit.headers, reply);
  }

  #open(): Sink {
    this.#sink ??= this.#createSink();
    return this.#sink;
  }

  #createSink(): Sink {
    const sink = new EventSink(this.#exchange, this.#visit.headers);
    this.#kept = this.keep?.(sink);
    return this.#kept ?? sink;
  }

  #finish(): void {
    this.#over = true;
    this.#stopKeepAlive?.();
  }
}

function chooseStreaming({ acceptance }: Visit, { responseMode }: Policy): "never" | "on notice" | "always" {
  if (responseMode === "json" || !acceptance.events) return "never";
  return responseMode === "sse" || !acceptance.json ? "always" : "on notice";
}

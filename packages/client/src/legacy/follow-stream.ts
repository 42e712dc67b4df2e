import { LONGEST_DELAY, MortiseError } from "@mortise/core";
import type { SseReader } from "@mortise/core/event-streams";
import { letEnd } from "../let-end.js";
import type { Answer, CreateReader, Flight } from "../link.js";
import type { HeaderList, HttpSending } from "../platform/platform.js";
import { readRetryAfter } from "../retry-after.js";

/** How long to wait before a stream is asked for again, in milliseconds, when the server does not say. */
const FIRST_WAIT_MS = 1_000;
/** How long to wait at least, whatever the server says. */
const SHORTEST_WAIT_MS = 50;
/** What waiting grows to when a server lets nobody in. */
const LONGEST_BACKOFF_MS = 30_000;
/** What waiting grows to when a server opens its stream, names a time to wait, and has nothing to say. */
const LONGEST_POLL_MS = 1_000;
/** What a refusal can make the client wait at most. */
const LONGEST_NAMED_MS = 300_000;
/** A stream that lived so long was no failure, even if nothing came. */
const LONG_LIFE_MS = 5_000;
/** Statuses that may be others in a moment. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** What servers answer that do not know an event, or what came after it, any more. */
const FORGOTTEN: ReadonlySet<number> = new Set([400, 410]);
/** What a header can carry, at a length that servers accept. */
const SENDABLE_ID = /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/;

/** Why a stream is not followed any more. */
export type StreamStop =
  /** The server refused it; `opened` says whether there had been one before. */
  { readonly kind: "refused"; readonly answer: Answer; readonly opened: boolean } | FailedStream;

interface FailedStream {
  readonly kind: "failed";
  readonly error: Error;
}

/** How a stream is followed. */
export interface FollowOptions {
  /** Asks for the stream. */
  open(headers: HeaderList, createReader: CreateReader): Flight;
  readonly createReader: CreateReader;
  /** Where to go on; `""` begins a stream. */
  readonly lastEventId: string;
  /** How long the server wants to be left alone, in milliseconds. */
  retryAfter(): number | undefined;
  /** Whether there is nothing left to wait for. */
  isAnswered(): boolean;
  /** How many attempts in a row may bring nothing. */
  readonly maxAttempts: number;
  /** Whether somebody waits for something on this very stream: then the process must not end, and no other stream will do. */
  readonly isAwaited: boolean;
  /** The stream has begun, or goes on. */
  onOpened?(): void;
  /** What comes from now on may be missed: the stream ended and cannot go on where it was, or could not be had again. */
  onLost?(error: Error): void;
  /** Called once, unless the stream was dropped. */
  onStop(stop: StreamStop): void;
}

/**
 * Follows a stream over as many connections as it takes: each goes on behind the last event of the one before, not sooner
 * than the server asks.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 */
export function followStream(options: FollowOptions): HttpSending {
  return new FollowedStream(options);
}

class FollowedStream implements HttpSending {
  readonly #options: FollowOptions;
  #lastEventId: string;
  #opened: boolean;
  #flight: Flight | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #over = false;
  /** How many connections in a row brought nothing. */
  #quiet = 0;
  /** How many attempts in a row were not let in. */
  #refusals = 0;
  /** How long the last refusal asks to wait, in milliseconds. */
  #named: number | undefined;

  constructor(options: FollowOptions) {
    this.#options = options;
    this.#lastEventId = options.lastEventId;
    this.#opened = options.lastEventId !== "";
    if (this.#opened) this.#wait();
    else this.#connect();
  }

  drop(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#flight?.drop(new MortiseError("aborted", "The stream is not wanted any more"));
  }

  #connect(): void {
    const { open, createReader } = this.#options;
    const startedAt = performance.now();
    let reader: SseReader | undefined;
    const headers = this.#lastEventId === "" ? [] : ["Last-Event-ID", this.#lastEventId];
    this.#flight = open(headers, (head, url) => {
      this.#opened = true;
      reader = createReader(head, url);
      this.#options.onOpened?.();
      return reader;
    });
    this.#flight.answer.then(
      (answer) => this.#receiveRefusal(answer),
      (error: Error) => this.#receiveEnd(error, reader, performance.now() - startedAt),
    );
  }

  #receiveRefusal(answer: Answer): void {
    const { status } = answer.head;
    if (this.#over) return;
    if (this.#lastEventId !== "" && FORGOTTEN.has(status) && !this.#options.isAwaited) {
      this.#lastEventId = "";
      this.#options.onLost?.(new MortiseError("stream_ended", "The server does not know any more what came before"));
      this.#connect();
      return;
    }
    if (!this.#opened || !TRANSIENT.has(status)) {
      this.#stop({ kind: "refused", answer, opened: this.#opened });
      return;
    }
    this.#named = readRetryAfter(answer.head.header("retry-after"));
    this.#receiveEnd(new MortiseError("stream_ended", `The stream was refused with HTTP ${status}`), undefined, 0);
  }

  #receiveEnd(error: Error, reader: SseReader | undefined, livedMs: number): void {
    if (this.#over) return;
    const id = reader?.lastEventId ?? "";
    const isNew = id !== "" && id !== this.#lastEventId;
    if (isNew) this.#lastEventId = id;
    this.#refusals = reader === undefined ? this.#refusals + 1 : 0;
    this.#quiet = isNew || (reader !== undefined && livedMs >= LONG_LIFE_MS) ? 0 : this.#quiet + 1;
    // A server that names a time to wait may well have nothing to say for a while.
    const inVain = this.#options.retryAfter() === undefined ? this.#quiet : this.#refusals;
    if (this.#options.isAnswered() || !isLoss(error) || inVain > this.#options.maxAttempts)
      this.#stop({ kind: "failed", error });
    else {
      if (reader === undefined || this.#lastEventId === "") this.#options.onLost?.(error);
      this.#wait();
    }
  }

  #wait(): void {
    if (this.#lastEventId !== "" && !SENDABLE_ID.test(this.#lastEventId)) {
      const error = new MortiseError("invalid_response", "Expected the id of an event to fit into a header");
      this.#stop({ kind: "failed", error });
      return;
    }
    this.#timer = setTimeout(() => this.#connect(), this.#nextWait());
    if (!this.#options.isAwaited) letEnd(this.#timer);
  }

  /** At least as long as the server asks, longer with every attempt in vain, and never for all clients at the same time. */
  #nextWait(): number {
    const asked = this.#options.retryAfter();
    const [first, longest] =
      asked === undefined
        ? [FIRST_WAIT_MS, LONGEST_BACKOFF_MS]
        : [SHORTEST_WAIT_MS, this.#refusals > 0 ? LONGEST_BACKOFF_MS : LONGEST_POLL_MS];
    const attempts = Math.max(0, this.#quiet - 1);
    const named = Math.min(this.#named ?? 0, LONGEST_NAMED_MS);
    this.#named = undefined;
    const wait = Math.max(asked ?? 0, named, Math.min(first * 2 ** attempts, longest));
    return Math.min(wait + Math.random() * Math.min(wait / 4, 500), LONGEST_DELAY);
  }

  #stop(stop: StreamStop): void {
    if (this.#over) return;
    this.#over = true;
    this.#options.onStop(stop);
  }
}

/** Tells whether another connection may do better: the last one was lost, and not ended on purpose. */
function isLoss(error: Error): boolean {
  return error instanceof MortiseError && (error.code === "stream_ended" || error.code === "connection_failed");
}

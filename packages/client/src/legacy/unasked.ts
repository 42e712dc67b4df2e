import { type JsonObject, type JsonRpcNotification, MortiseError } from "@mortise/core";
import type { PendingRequest, Watch, Watching } from "../era.js";
import type { EventStreams } from "../link.js";
import type { HeaderList } from "../platform/platform.js";
import type { Agreement } from "./handshake.js";
import { listen, type SessionStream } from "./session-stream.js";
import { Watches } from "./watches.js";

/** A session that its stream finds lost so soon after the last one is not worth another, in milliseconds. */
const SHORT_SESSION_MS = 10_000;

/** The session that a server speaks in. */
export interface UnaskedHost {
  /** The streams that a server can be asked for; pipes have nothing of the kind. */
  readonly streams: EventStreams | undefined;
  /** Keep a stream open, whoever watches. */
  readonly listens: boolean;
  headers(): HeaderList;
  capabilities(): JsonObject;
  /** Whether the server lets pass no more than the headers of the oldest clients: too few to go on with a stream. */
  isMinimal(): boolean;
  /** Whether a request has been answered since this was asked last. */
  takeProof(): boolean;
  /** Opens a new session in place of a lost one, unless that was done already. */
  renew(lost: Agreement): Promise<void>;
  /** Sends a request in the session that there is now, without renewing it. */
  request(request: PendingRequest): Promise<JsonObject>;
  onProblem(thrown: unknown): void;
}

/**
 * What a legacy server says outside of answers: the stream on which it does over HTTP, and who hears of changes. Goes on over
 * renewals of the session. Loaded with the first who listens.
 */
export class Unasked {
  readonly #host: UnaskedHost;
  readonly #watches: Watches;
  #agreed: Agreement;
  #stream: SessionStream | undefined;
  /** Whether changes need the stream. */
  #isWatched = false;
  /** Whether the session is gone, and was not replaced yet. */
  #isLost = false;
  /** When the stream last found the session lost. */
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(host: UnaskedHost, agreed: Agreement) {
    this.#host = host;
    this.#agreed = agreed;
    this.#watches = new Watches({
      needsStream: host.streams !== undefined,
      capabilities: () => host.capabilities(),
      openStream: () => {
        this.#isWatched = true;
        this.#open();
        return this.#stream;
      },
      releaseStream: () => {
        this.#isWatched = false;
        if (!host.listens) this.drop();
      },
      request: (request) => host.request(request),
      onProblem: (problem) => host.onProblem(problem),
    });
  }

  /** There is a session, or another one. */
  begin(agreed: Agreement): void {
    const wasLost = this.#isLost;
    this.#agreed = agreed;
    this.#isLost = false;
    if (this.#host.listens || this.#isWatched) this.#open();
    if (wasLost) void this.#watches.restore();
  }

  /** The session is gone, and another one is being opened. */
  lose(reason: Error): void {
    this.#isLost = true;
    this.drop();
    this.#watches.lose(reason);
  }

  /** Closes the stream. */
  drop(): void {
    this.#stream?.drop();
    this.#stream = undefined;
  }

  /** Takes a notification of the session. */
  notice(notification: JsonRpcNotification): void {
    this.#watches.notice(notification);
  }

  /** Nothing more will come. */
  end(reason: Error): void {
    this.#watches.end(reason);
  }

  /** Begins to hear of changes. */
  async watch(watching: Watching): Promise<Watch> {
    if (this.#isLost) await this.#host.renew(this.#agreed);
    return this.#watches.add(watching);
  }

  #open(): void {
    const { streams, isMinimal, headers, onProblem } = this.#host;
    if (streams === undefined || isMinimal() || this.#stream !== undefined) return;
    const agreed = this.#agreed;
    const stream = listen({
      streams,
      headers: headers(),
      onGone: () => this.#renew(agreed),
      onStopped: () => {
        if (this.#stream === stream) this.#stream = undefined;
      },
      onProblem,
    });
    this.#stream = stream;
  }

  /** The stream found out that the session is gone. */
  #renew(lost: Agreement): void {
    const { takeProof, renew, onProblem } = this.#host;
    if (lost.sessionId === undefined) return;
    const now = performance.now();
    const isProven = takeProof();
    if (!isProven && now - this.#renewedAt < SHORT_SESSION_MS) {
      const problem = "The server forgets every session at once: it is not listened to any more";
      const error = new MortiseError("http_status", problem, { cause: { status: 404 } });
      this.#isLost = true;
      this.drop();
      this.#watches.end(error);
      onProblem(error);
      return;
    }
    this.#renewedAt = now;
    renew(lost).catch(onProblem);
  }
}

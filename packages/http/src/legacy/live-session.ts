import type { RequestId } from "@mortise/core";
import type { Call } from "@mortise/server/transport";
import type { SessionStreams } from "./session-streams.js";

/** What of one session happens in this process: calls being worked on, and event streams. It exists for as long as there is any. */
export class LiveSession {
  readonly id: string;
  readonly principal: string | undefined;
  readonly #calls = new Map<RequestId, Call>();
  /** Every call, also those that lost their id to a later one. */
  readonly #running = new Set<Call>();
  readonly #onIdle: () => void;
  #streams: SessionStreams | undefined;

  constructor(id: string, principal: string | undefined, onIdle: () => void) {
    this.id = id;
    this.principal = principal;
    this.#onIdle = onIdle;
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#streams === undefined;
  }

  get streams(): SessionStreams | undefined {
    return this.#streams;
  }

  set streams(streams: SessionStreams | undefined) {
    this.#streams = streams;
    this.#settle();
  }

  /** Knows a call until it is removed. */
  add(call: Call): void {
    this.#running.add(call);
    this.#calls.set(call.id, call);
  }

  remove(call: Call): void {
    this.#running.delete(call);
    // A client that uses an id twice at the same time has lost hold of the first call.
    if (this.#calls.get(call.id) === call) this.#calls.delete(call.id);
    this.#settle();
  }

  /** Cancels one call. Tells whether it is worked on here. */
  cancel(id: RequestId, reason: string): boolean {
    const call = this.#calls.get(id);
    call?.cancel(new DOMException(reason, "AbortError"));
    return call !== undefined;
  }

  /** Ends everything. */
  end(): void {
    for (const call of [...this.#running]) call.cancel(new DOMException("The session has ended", "AbortError"));
    this.#streams?.close();
  }

  #settle(): void {
    if (this.idle) this.#onIdle();
  }
}

import {
  type Ask,
  type Implementation,
  isObject,
  type JsonObject,
  type JsonRpcRequest,
  type LogLevel,
  type RequestId,
  type Revision,
  readAsks,
} from "@mortise/core";
import type { Carrier } from "./carrier.js";
import type { Era } from "./era.js";
import { Ledger } from "./ledger.js";
import type { Method } from "./method.js";
import { type Retry, readRetry } from "./retry.js";
import { run } from "./run.js";
import type { Sealed } from "./sealed.js";
import type { ServerCore } from "./server-core.js";
import type { Subject } from "./subject.js";

const NO_ASKS: ReadonlySet<Ask> = new Set();
const NOTHING_DECLARED: JsonObject = Object.freeze({});

/** What would go on for ever. It needs no signal, which would cost more than all the rest of it. */
export interface Endless {
  /** Ends it with an answer. */
  stop(): void;
  /** Lets go of everything: the call was cancelled. */
  release(reason: unknown): void;
}

/** One request being worked on, from its opening to its answer. An era's opening fills it in; transports may cancel it. */
export class Call {
  readonly server: ServerCore;
  readonly era: Era;
  /** What was asked. A call that goes on for long keeps no params. */
  request: JsonRpcRequest;
  readonly carrier: Carrier;
  /** The revision the request is read and answered by. The modern opening sets it once the version is known to be served. */
  revision: Revision;
  /** The entry of the era's table. Set once the opening has found it. */
  method: Method | undefined;
  /** What the entry's `parse` returned. */
  input: unknown;
  /** The version a modern request names. */
  version: string | undefined;
  /** Who the client says it is. */
  client: Implementation | undefined;
  /** What the client declared it can do. */
  capabilities: JsonObject = NOTHING_DECLARED;
  /** The least severe log message the caller asked for. */
  logLevel: LogLevel | undefined;
  /** What the request brings of earlier rounds of questions. */
  retry: Retry | undefined;
  /** What its handler asks, once it has asked something. */
  ledger: Ledger | undefined;
  /** Neighbours in the server's list of calls in flight. */
  previous: Call | undefined;
  next: Call | undefined;
  /** Whether it is to end as soon as it can. */
  ending = false;
  /** Runs when the call is cancelled, by whomever: a transport that owes an answer learns here that none will come. */
  onCancelled: (() => void) | undefined;
  /** What goes on for ever unless it is asked to end. Set by methods that do. */
  endless: Endless | undefined;

  #subject: Subject | null | undefined;
  #can: ReadonlySet<Ask> | undefined;
  #controller: AbortController | undefined;
  #state: "open" | "cancelled" | "answered" = "open";
  #reason: unknown;

  constructor(era: Era, request: JsonRpcRequest, carrier: Carrier, revision: Revision) {
    this.server = era.server;
    this.era = era;
    this.request = request;
    this.carrier = carrier;
    this.revision = revision;
  }

  get id(): RequestId {
    return this.request.id;
  }

  /** The protocol versions that its caller can choose from, the preferred first. */
  get versions(): readonly string[] {
    return this.carrier.versions ?? this.server.versions;
  }

  /** The registered thing that the request is about, if there is one that its caller may use. */
  get subject(): Subject | undefined {
    if (this.#subject === undefined) this.#subject = this.method?.subject?.(this) ?? null;
    return this.#subject ?? undefined;
  }

  /** Questions that can be put to this caller: those it declared and its revision knows, where something carries them. */
  get can(): ReadonlySet<Ask> {
    const carried = this.era.retries || this.carrier.request !== undefined;
    this.#can ??= carried ? intersect(readAsks(this.capabilities), this.revision.asks) : NO_ASKS;
    return this.#can;
  }

  /** What the client declared of an extension; `undefined` where it did not, or its revision has none. */
  declared(extension: string): JsonObject | undefined {
    const { extensions } = this.revision.extensions ? this.capabilities : NOTHING_DECLARED;
    const settings = isObject(extensions) && Object.hasOwn(extensions, extension) ? extensions[extension] : undefined;
    return isObject(settings) ? settings : undefined;
  }

  /** Where what its handler asks is written down. Made on first use. */
  get questions(): Ledger {
    this.ledger ??= new Ledger(this);
    return this.ledger;
  }

  /** Aborts when the call is cancelled. Made on first use, since a signal costs more than the rest of a small call. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#state === "cancelled") this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Whether nobody waits for the answer any more. */
  get cancelled(): boolean {
    return this.#state === "cancelled";
  }

  /** Whether the answer exists. */
  get answered(): boolean {
    return this.#state === "answered";
  }

  /** Aborts the work. Whoever cancels drops the answer; notices stop here. Does nothing once the call is answered. */
  cancel(reason?: unknown): void {
    if (this.#state !== "open") return;
    this.#state = "cancelled";
    this.#reason = reason ?? new DOMException("The request was cancelled", "AbortError");
    this.server.inFlight.remove(this);
    this.#controller?.abort(this.#reason);
    this.endless?.release(this.#reason);
    this.onCancelled?.();
  }

  /** Aborts the signal that handlers hold, while the call goes on: the next to ask for it is given another. */
  abandon(reason: unknown): void {
    this.#controller?.abort(reason);
    this.#controller = undefined;
  }

  /** Lets go of what came with the request, for a call that goes on for long. */
  forgetParams(): void {
    const { jsonrpc, id, method } = this.request;
    this.request = { jsonrpc, id, method };
    this.input = undefined;
    this.capabilities = NOTHING_DECLARED;
  }

  /** Asks for an end with an answer, where it would go on for ever otherwise. */
  end(): void {
    this.ending = true;
    this.endless?.stop();
  }

  /** The same request once more, with other params and another way back. */
  derive(params: JsonObject, carrier: Carrier): Call {
    const call = new Call(this.era, { ...this.request, params }, carrier, this.revision);
    call.method = this.method;
    call.input = this.input;
    call.version = this.version;
    call.client = this.client;
    call.capabilities = this.capabilities;
    call.logLevel = this.logLevel;
    if (this.era.retries) call.retry = readRetry(params);
    return call;
  }

  /** See `run`. */
  run(): Sealed | Promise<Sealed> {
    return run(this);
  }

  /** Says that the answer exists, after which no notice may follow. */
  settle(): void {
    if (this.#state === "open") this.#state = "answered";
  }

  /** Sends a notice to the caller, unless the call is over. Returns a promise while the writer is behind. */
  send(notice: string): void | Promise<void> {
    if (this.#state === "open") return this.carrier.send?.(notice);
  }

  /** Sends a notice that must not be dropped, unless the call is over. Wait for the promise, if there is one, before the next. */
  announce(notice: string): void | Promise<void> {
    if (this.#state !== "open") return;
    const { carrier } = this;
    return carrier.announce === undefined ? carrier.send?.(notice) : carrier.announce(notice);
  }
}

function intersect(declared: ReadonlySet<Ask>, known: ReadonlySet<Ask>): ReadonlySet<Ask> {
  for (const ask of declared) {
    if (!known.has(ask)) return new Set([...declared].filter((each) => known.has(each)));
  }
  return declared;
}

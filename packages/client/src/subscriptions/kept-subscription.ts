import { type JsonObject, type JsonRpcNotification, MortiseError } from "@mortise/core";
import type { Companion } from "../companion.js";
import type { Deadline } from "../deadline.js";
import type { PendingRequest, Session, Watch } from "../era.js";
import { letEnd } from "../let-end.js";
import type { SubscribeOptions, Subscription, SubscriptionEnd, SubscriptionFilter } from "../subscription.js";
import { type ChangeQueue, createChangeQueue } from "./change-queue.js";
import { describeChange, isCovered } from "./filter.js";
import { OpeningWatch } from "./opening-watch.js";
import { createBackoff, isFinal } from "./try-again.js";

/** What a subscription needs of its client. */
export interface SubscriptionHost {
  /** The session, opened when needed. */
  open(signal: AbortSignal): Promise<Session>;
  run(session: Session, request: PendingRequest): Promise<JsonObject>;
  /** Why there will be no session again by itself, if so. */
  endedBy(): Error | undefined;
  /** Starts the time limit of one confirmation. */
  startDeadline(onExpire: (error: Error) => void): Deadline | undefined;
  /** Changes of these kinds may have been missed. */
  onGap(filter: SubscriptionFilter): void;
  onProblem(thrown: unknown): void;
  /** The subscription has ended. */
  onEnd(): void;
}

/** How a subscription was asked for, checked and complete. */
export interface SubscriptionSettings {
  readonly filter: SubscriptionFilter;
  readonly onChange: SubscribeOptions["onChange"];
  readonly onLost: SubscribeOptions["onLost"];
  readonly onRestored: SubscribeOptions["onRestored"];
  readonly maxPending: number;
  readonly maxAttempts: number;
}

/** A subscription that is opened again when its stream breaks. */
export class KeptSubscription implements Subscription, Companion {
  readonly closed: Promise<SubscriptionEnd>;
  readonly #host: SubscriptionHost;
  readonly #settings: SubscriptionSettings;
  readonly #queue: ChangeQueue;
  readonly #backoff = createBackoff();
  #honored: SubscriptionFilter = {};
  #phase: "opening" | "open" | "lost" | "over" = "opening";
  #watch: Watch | undefined;
  /** Ends the attempt that is being made. */
  #attempt: AbortController | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** How many attempts in a row failed. */
  #failures = 0;
  #overflowed = false;
  #resolveClosed!: (end: SubscriptionEnd) => void; // set by the constructor, inside the promise

  constructor(host: SubscriptionHost, settings: SubscriptionSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#queue = createChangeQueue(settings.maxPending);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  get honored(): SubscriptionFilter {
    return this.#honored;
  }

  /** Opens it for the first time. Rejects when that fails. */
  async open(): Promise<void> {
    try {
      await this.#open();
    } catch (error) {
      this.#finish({ reason: "failed" });
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.end({ reason: "closed" });
  }

  /** Ends it for a reason, and tells the server. Does nothing when it has ended. */
  async end(end: SubscriptionEnd): Promise<void> {
    const watch = this.#watch;
    if (!this.#finish(end)) return;
    await watch?.close();
  }

  /** The client is closed, and all of its connection with it. */
  onClosed(reason: Error): void {
    this.#attempt?.abort(reason);
    this.#finish({ reason: "client_closed" });
  }

  /** Somebody else has found the server again. */
  onOpened(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#tryAgain();
  }

  [Symbol.asyncIterator](): AsyncIterator<JsonRpcNotification, undefined> {
    return {
      next: () => this.#queue.next(),
      return: async () => {
        await this.close();
        return { value: undefined, done: true };
      },
    };
  }

  async #open(): Promise<void> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    const session = await this.#host.open(attempt.signal);
    attempt.signal.throwIfAborted();
    const { filter, maxPending } = this.#settings;
    const opening = new OpeningWatch({
      filter,
      maxPending,
      onOverflow: () => this.#reportOverflow(),
      signal: attempt.signal,
      request: (request) => this.#host.run(session, request),
      startDeadline: (onExpire) => this.#host.startDeadline(onExpire),
    });
    const watch = await session.watch(opening);
    if (this.#phase === "over") {
      await watch.close();
      throw attempt.signal.reason;
    }
    this.#begin(watch, opening);
  }

  #begin(watch: Watch, opening: OpeningWatch): void {
    const wasLost = this.#phase === "lost";
    this.#watch = watch;
    this.#honored = watch.honored;
    this.#phase = "open";
    this.#failures = 0;
    this.#backoff.begin();
    if (wasLost) this.#tellRestored();
    opening.confirm({
      onNotification: (notification) => this.#receive(notification),
      onLost: (reason) => this.#lose(reason),
      onRestored: () => {
        if (this.#phase !== "lost") return;
        this.#phase = "open";
        this.#tellRestored();
      },
      onEnd: (error) => this.#receiveEnd(error),
    });
  }

  #receive(notification: JsonRpcNotification): void {
    if (this.#phase === "over" || !isCovered(notification, this.#honored)) return;
    const { onChange } = this.#settings;
    if (onChange !== undefined) this.#guard(() => onChange(notification));
    else if (!this.#queue.push(describeChange(notification), notification)) this.#reportOverflow();
  }

  #reportOverflow(): void {
    if (this.#overflowed) return;
    this.#overflowed = true;
    const { maxPending } = this.#settings;
    this.#host.onProblem(
      new MortiseError("stream_ended", `More than ${maxPending} changes wait to be read: the oldest are left out`),
    );
  }

  #receiveEnd(error: Error | undefined): void {
    if (this.#phase === "over") return;
    this.#watch = undefined;
    if (error === undefined) {
      this.#finish({ reason: "server_ended" });
      return;
    }
    this.#backoff.end();
    if (this.#host.endedBy() === undefined) this.#lose(error);
    // Who was told of the loss may have closed it.
    if (!this.#isOver()) this.#waitFor(error);
  }

  #lose(reason: Error): void {
    if (this.#phase !== "open") return;
    this.#phase = "lost";
    this.#host.onGap(this.#honored);
    const { onLost } = this.#settings;
    if (onLost !== undefined) this.#guard(() => onLost(reason));
  }

  #tellRestored(): void {
    // What was missed may be in nobody's memory any more.
    this.#host.onGap(this.#honored);
    const { onRestored } = this.#settings;
    if (onRestored !== undefined) this.#guard(() => onRestored());
  }

  #waitFor(error: Error): void {
    const final = this.#host.endedBy();
    if (final !== undefined) this.#finish({ reason: "failed", error: final });
    else {
      this.#timer = setTimeout(() => this.#tryAgain(), this.#backoff.next(error));
      letEnd(this.#timer);
    }
  }

  #tryAgain(): void {
    this.#timer = undefined;
    this.#open().catch((error: Error) => {
      if (this.#isOver()) return;
      this.#failures += 1;
      if (isFinal(error) || this.#failures >= this.#settings.maxAttempts) this.#finish({ reason: "failed", error });
      else this.#waitFor(error);
    });
  }

  #isOver(): boolean {
    return this.#phase === "over";
  }

  #finish(end: SubscriptionEnd): boolean {
    if (this.#phase === "over") return false;
    this.#phase = "over";
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#watch = undefined;
    this.#attempt?.abort(new MortiseError("aborted", "The subscription was given up"));
    this.#queue.end(end.error);
    this.#host.onEnd();
    this.#resolveClosed(end);
    return true;
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#host.onProblem(error);
    }
  }
}

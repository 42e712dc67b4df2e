import type { JsonRpcNotification } from "@mortise/core";
import type { Watching } from "../era.js";
import type { SubscriptionFilter } from "../subscription.js";
import { type ChangeBuffer, createChangeBuffer } from "./change-buffer.js";
import { describeChange, isCovered } from "./filter.js";

/** What a watch tells once it is confirmed. */
export type WatchEvents = Pick<Watching, "onNotification" | "onLost" | "onRestored" | "onEnd">;

/** What opening a watch needs. */
export interface OpeningOptions extends Pick<Watching, "filter" | "signal" | "request" | "startDeadline"> {
  /** How many changes are kept until it is confirmed. */
  readonly maxPending: number;
  /** There were more. */
  onOverflow(): void;
}

/** Keeps what a watch tells before whoever waits for it has it in hand: the first change may come with the confirmation. */
export class OpeningWatch implements Watching {
  readonly filter: SubscriptionFilter;
  readonly signal: AbortSignal;
  readonly request: Watching["request"];
  readonly startDeadline: Watching["startDeadline"];
  readonly #onOverflow: () => void;
  readonly #changes: ChangeBuffer;
  /** What comes after all changes. */
  readonly #later: ((events: WatchEvents) => void)[] = [];
  #events: WatchEvents | undefined;

  constructor({ filter, signal, request, startDeadline, maxPending, onOverflow }: OpeningOptions) {
    this.filter = filter;
    this.signal = signal;
    this.request = request;
    this.startDeadline = startDeadline;
    this.#onOverflow = onOverflow;
    this.#changes = createChangeBuffer(maxPending);
  }

  confirm(events: WatchEvents): void {
    this.#events = events;
    for (let change = this.#changes.shift(); change !== undefined; change = this.#changes.shift())
      events.onNotification(change);
    for (const tell of this.#later.splice(0)) tell(events);
  }

  onNotification(notification: JsonRpcNotification): void {
    if (this.#events !== undefined) this.#events.onNotification(notification);
    else if (isCovered(notification, this.filter) && !this.#changes.push(describeChange(notification), notification))
      this.#onOverflow();
  }

  onLost(reason: Error): void {
    this.#tell((events) => events.onLost(reason));
  }

  onRestored(): void {
    this.#tell((events) => events.onRestored());
  }

  onEnd(error: Error | undefined): void {
    this.#tell((events) => events.onEnd(error));
  }

  #tell(tell: (events: WatchEvents) => void): void {
    if (this.#events === undefined) this.#later.push(tell);
    else tell(this.#events);
  }
}

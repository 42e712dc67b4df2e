import {
  isObject,
  type JsonObject,
  JsonRpcError,
  type JsonRpcNotification,
  MortiseError,
  type RequestId,
  RPC,
} from "@mortise/core";
import type { Deadline } from "../deadline.js";
import type { Watch, Watching } from "../era.js";
import type { Answer, Flight } from "../link.js";
import { readAnswer } from "../refused-answer.js";
import type { SubscriptionFilter } from "../subscription.js";
import { isEmpty, readHonored } from "../subscriptions/filter.js";

/** What listening to a modern server needs. */
export interface ListenOptions {
  readonly watching: Watching;
  /** Sends `subscriptions/listen`. */
  send(
    params: JsonObject,
    onNotification: (notification: JsonRpcNotification) => void,
  ): { readonly id: RequestId; readonly flight: Flight };
  /** Tells the server that nobody listens any more, where a message is how that is told. */
  cancel(id: RequestId, reason: string): void;
  onProblem(problem: Error): void;
}

/**
 * Opens a stream of changes, and gives it once the server has acknowledged it. Rejects with `not_offered` when the server has
 * nothing of what is asked for. Loaded with the first subscription.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 */
export function listen(options: ListenOptions): Promise<Watch> {
  return new Promise((resolve, reject) => {
    new Listening(options, { resolve, reject }).open();
  });
}

interface Opening {
  resolve(watch: Watch): void;
  reject(error: Error): void;
}

class Listening implements Watch {
  honored: SubscriptionFilter = {};
  readonly #options: ListenOptions;
  readonly #opening: Opening;
  #phase: "asking" | "open" | "over" = "asking";
  #deadline: Deadline | undefined;
  #sent: ReturnType<ListenOptions["send"]> | undefined;

  constructor(options: ListenOptions, opening: Opening) {
    this.#options = options;
    this.#opening = opening;
  }

  open(): void {
    const { watching, send } = this.#options;
    const { filter, signal } = watching;
    if (signal.aborted) {
      this.#refuse(signal.reason);
      return;
    }
    const sent = send({ notifications: filter }, (notification) => this.#receive(notification));
    this.#sent = sent;
    this.#deadline = watching.startDeadline((error) => this.#giveUp(error));
    sent.flight.onHeld = (held) => (held ? this.#deadline?.pause() : this.#deadline?.resume());
    sent.flight.answer.then(
      (answer) => this.#receiveAnswer(answer),
      (error: Error) => this.#end(error),
    );
    signal.addEventListener("abort", () => this.#giveUp(signal.reason), { once: true });
  }

  close(): Promise<void> {
    if (this.#phase !== "over") this.#leave(new MortiseError("aborted", "The subscription was closed"));
    return Promise.resolve();
  }

  #receive(notification: JsonRpcNotification): void {
    const { method, params } = notification;
    if (this.#phase === "over") return;
    if (method === "notifications/cancelled") this.#receiveCancel(params?.requestId);
    else if (method === "notifications/subscriptions/acknowledged") this.#acknowledge(params?.notifications);
    else if (this.#phase === "open") this.#options.watching.onNotification(notification);
    else
      this.#options.onProblem(
        new MortiseError("invalid_response", `Ignored "${method}": its subscription was not acknowledged yet`),
      );
  }

  /** The server may end the stream in this way, too; what it says of another request means nothing here. */
  #receiveCancel(requestId: unknown): void {
    if (requestId === undefined || requestId === this.#sent?.id) this.#end(undefined);
  }

  #acknowledge(notifications: unknown): void {
    if (this.#phase !== "asking") return;
    const { filter } = this.#options.watching;
    if (!isObject(notifications)) {
      this.#refuse(
        new MortiseError("invalid_response", 'Expected the acknowledgement to say which "notifications" will come'),
      );
      return;
    }
    this.honored = readHonored(filter, notifications);
    if (isEmpty(this.honored)) {
      this.#refuse(notOffered());
      return;
    }
    this.#phase = "open";
    this.#deadline?.clear();
    this.#opening.resolve(this);
  }

  #receiveAnswer(answer: Answer): void {
    try {
      readAnswer(answer);
    } catch (error) {
      this.#end(error as Error); // made by the reader
      return;
    }
    this.#end(undefined);
  }

  /** The server, or the connection, ended the stream; without an error it was on purpose. */
  #end(error: Error | undefined): void {
    const phase = this.#phase;
    this.#phase = "over";
    this.#deadline?.clear();
    if (phase === "open") this.#options.watching.onEnd(error);
    else if (phase === "asking") this.#opening.reject(explain(error));
  }

  #giveUp(error: Error): void {
    if (this.#phase === "asking") this.#refuse(error);
  }

  /** Gives up what was not opened yet. */
  #refuse(error: Error): void {
    this.#leave(error);
    this.#opening.reject(error);
  }

  #leave(error: Error): void {
    this.#phase = "over";
    this.#deadline?.clear();
    if (this.#sent === undefined) return;
    this.#sent.flight.drop(error);
    this.#options.cancel(this.#sent.id, error.message);
  }
}

function explain(error: Error | undefined): Error {
  if (error === undefined)
    return new MortiseError("invalid_response", "The server ended the subscription before it acknowledged it");
  const isUnknown = error instanceof JsonRpcError && error.code === RPC.methodNotFound;
  return isUnknown ? notOffered({ cause: error }) : error;
}

function notOffered(options?: ErrorOptions): MortiseError {
  return new MortiseError("not_offered", "The server does not tell of anything that was asked for", options);
}

import type { ErrorObject, JsonObject, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "@mortise/core";
import type { SseReader } from "@mortise/core/event-streams";
import type { Progress } from "./options.js";
import type { HeaderList, HttpHead, HttpSending } from "./platform/platform.js";

/** What came back for one request. `refused` is an answer that is no JSON-RPC response. */
export type Answer = ResultAnswer | ErrorAnswer | RefusedAnswer;

/** Where an answer came from. On a pipe the status is 0 and there are no headers. */
export type AnswerHead = Pick<HttpHead, "status" | "header">;

export interface ResultAnswer {
  readonly kind: "result";
  readonly head: AnswerHead;
  readonly result: JsonObject;
}

export interface ErrorAnswer {
  readonly kind: "error";
  readonly head: AnswerHead;
  readonly error: ErrorObject;
}

export interface RefusedAnswer {
  readonly kind: "refused";
  readonly head: AnswerHead;
  /** The beginning of the body, without secrets, for error messages. */
  readonly body: string;
}

/** What a response means to the one who asked. */
export function toAnswer(response: JsonRpcResponse, head: AnswerHead): Answer {
  if ("error" in response) return { kind: "error", head, error: response.error };
  return { kind: "result", head, result: response.result };
}

/** One request on its way. */
export interface Flight {
  /** Rejects when no answer can come any more. */
  readonly answer: Promise<Answer>;
  /** Stops waiting: `answer` rejects with the error, and on HTTP the exchange is closed. */
  drop(error: Error): void;
  /** Who waits puts itself here, to hold its time limits while something else than the server is waited for. */
  onHeld?: ((held: boolean) => void) | undefined;
}

/** Makes the reader of an event stream, from the head of the answer and the address that gave it. */
export type CreateReader = (head: AnswerHead, url: URL) => SseReader;

/** Event streams that answer no request. */
export interface EventStreams {
  /** Asks for a stream. The answer is a refusal, or rejects when the stream has ended. */
  open(headers: HeaderList, createReader: CreateReader): Flight;
  /** Reads a stream whose messages go to the listener of the link. */
  createReader(onRetry: (ms: number) => void): SseReader;
}

/** The event stream of an answer that ended too early. */
export interface LostStream {
  readonly lastEventId: string;
  /** Reads a stream that goes on where this one ended. */
  readonly createReader: CreateReader;
  /** How long the server wants to be left alone before the next attempt, in milliseconds; `undefined` when it did not say. */
  retryAfter(): number | undefined;
  isAnswered(): boolean;
  /** Nothing more will come. */
  onLost(): void;
}

/** How one request is sent. */
export interface SendOptions {
  /** Headers besides those that every request carries. Pipes have none. */
  readonly headers: HeaderList;
  /** Receives the progress that belongs to this request, which then must carry its id as progress token; `undefined` when none can be read. */
  readonly onProgress?: ((progress: Progress | undefined) => void) | undefined;
  /**
   * Receives the notifications that belong to this request, progress apart: on a pipe those that name its id, over HTTP those on
   * the stream that answers it. The listener of the link hears them, too.
   */
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  /** Nothing else is on its way, so an error without an id answers this request. */
  readonly alone?: boolean | undefined;
  /** Goes on with an answer whose stream was lost, where streams can be resumed. */
  readonly resume?: ((stream: LostStream) => Promise<HttpSending>) | undefined;
}

/** Hears what the server sends without being asked. */
export interface LinkListener {
  onNotification(notification: JsonRpcNotification): void;
  /** A request of the server, to be answered with a message. */
  onRequest(request: JsonRpcRequest): void;
  /** The link cannot be used any more; whatever was on its way has been told. */
  onClose(reason: Error): void;
}

/** A way to one server, either shape. */
export interface Link {
  /** On a "pipe" all messages share one line; on "http" every request has an exchange of its own. */
  readonly shape: "pipe" | "http";
  /** Who hears unasked messages. The opened session puts itself here. */
  listener: LinkListener;
  /** Why the link cannot be used any more, or `undefined` while it can. */
  readonly closedBy: Error | undefined;
  send(request: JsonRpcRequest, options: SendOptions): Flight;
  /** Sends a message that has no answer. Rejects when it could not be delivered. */
  post(message: JsonRpcNotification | JsonRpcResponse, headers: HeaderList): Promise<void>;
  /** The streams that a server can be asked for; pipes have nothing of the kind. */
  loadStreams?(): Promise<EventStreams>;
  /** Tells an HTTP server that the session is over, after whatever is on its way was dropped. Never rejects; does nothing on pipes. */
  endSession(headers: HeaderList, reason: Error): Promise<void>;
  /** Keeps a text, such as a session id, out of every error message. */
  hide(secret: string): void;
  /** Ends the link; whatever is on its way rejects with the reason. */
  close(reason: Error): Promise<void>;
}

/** Hears nothing and answers nothing: what a link has before a session is agreed. */
export const SILENT_LISTENER: LinkListener = {
  onNotification() {
    // Nobody has asked yet.
  },
  onRequest() {
    // Nobody has said yet what can be asked.
  },
  onClose() {
    // Nothing to give up.
  },
};

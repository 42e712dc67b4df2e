import type { JsonRpcMessage } from "./json-rpc.js";

/** What a pipe tells the one who opened it. */
export interface PipeEvents {
  /** One decoded JSON value arrived. It may be anything; the receiver classifies it. */
  onMessage(message: unknown): void;
  /** The pipe ended. Called once; `error` says why when it was not asked for. */
  onClose(error?: Error): void;
  /** Something went wrong that the pipe survives, such as a line that is not JSON. */
  onError(error: Error): void;
}

/** A two-way line of messages between a client and one server: a child process, an in-memory pair. */
export interface PipeTransport {
  /** Opens the pipe. Rejects when it cannot be opened. */
  start(events: PipeEvents): Promise<void>;
  /** Sends one message; the promise, if any, resolves once the writer has room again. */
  send(message: JsonRpcMessage): void | Promise<void>;
  /** Ends the pipe and whatever stands behind it. Safe to call twice. */
  close(): Promise<void>;
}

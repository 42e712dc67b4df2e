import {
  classifyMessage,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type RequestId,
} from "@mortise/core";
import { createSseReader, type SseReader } from "@mortise/core/event-streams";
import { readMalformedAnswer } from "./malformed-answer.js";

/** Where the messages of an event stream go. */
export interface StreamSink {
  /** The request that is answered there; `undefined` on a stream that answers none. */
  readonly id: RequestId | undefined;
  readonly maxEventBytes: number;
  readonly onProgress?: ((progress: JsonObject) => void) | undefined;
  /** The answer to the request; called at most once. */
  onAnswer?(response: JsonRpcResponse): void;
  /** What stands for the answer is no response. */
  onMalformedAnswer?(): void;
  /** The value of a JSON text; `undefined` when the text is none. */
  parseJson(text: string): unknown;
  onOversize(): void;
  onNotification(notification: JsonRpcNotification): void;
  onRequest(request: JsonRpcRequest): void;
  onProblem(problem: Error): void;
  /** The server says how long to wait before the stream is asked for again, in milliseconds. */
  onRetry?(ms: number): void;
}

/**
 * Reads the event stream that answers one request: notices on the way, then the answer. Or one that answers none.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
 */
export function createAnswerStream(sink: StreamSink): SseReader {
  let answered = sink.id === undefined;

  // The 2025-03-26 revision lets a server put several messages into one event, but no arrays into an array.
  const receive = (message: unknown): void => {
    if (!Array.isArray(message)) receiveOne(message);
    else for (const entry of message) receiveOne(entry);
  };
  const receiveOne = (message: unknown): void => {
    switch (classifyMessage(message)) {
      case "notification":
        receiveNotification(message as JsonRpcNotification); // classified just now
        return;
      case "request":
        sink.onRequest(message as JsonRpcRequest); // classified just now
        return;
      case "response":
        receiveResponse(message as JsonRpcResponse); // classified just now
        return;
      default:
        if (!answered && readMalformedAnswer(message) === sink.id) sink.onMalformedAnswer?.();
        sink.onProblem(new MortiseError("invalid_response", "Expected a JSON-RPC message in an event of the answer"));
    }
  };
  const receiveNotification = (notification: JsonRpcNotification): void => {
    const { method, params } = notification;
    if (method !== "notifications/progress") sink.onNotification(notification);
    else if (params !== undefined && isForSink(params)) sink.onProgress?.(params);
  };
  const isForSink = ({ progressToken }: JsonObject): boolean =>
    sink.id === undefined || (!answered && progressToken === sink.id);
  const receiveResponse = (response: JsonRpcResponse): void => {
    if (answered || (response.id != null && response.id !== sink.id)) {
      sink.onProblem(new MortiseError("invalid_response", "Ignored a response that nothing waits for"));
      return;
    }
    answered = true;
    sink.onAnswer?.(response);
  };

  return createSseReader({
    maxEventBytes: sink.maxEventBytes,
    onEvent({ data, event }) {
      // Events without data only carry an id to resume from; other event names belong to someone else.
      if (data === "" || event !== "message") return;
      const message = sink.parseJson(data);
      if (message !== undefined) receive(message);
      else sink.onProblem(new MortiseError("invalid_response", "Expected JSON in an event of the answer"));
    },
    onRetry: (ms) => sink.onRetry?.(ms),
    onOversize: () => sink.onOversize(),
  });
}

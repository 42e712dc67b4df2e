import {
  classifyMessage,
  createSseReader,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type RequestId,
  type SseReader,
} from "@mortise/core";
import { parseJson } from "./json-text.js";
import { readMalformedAnswer } from "./link.js";

/** Where the messages of an event stream go. */
export interface StreamSink {
  readonly id: RequestId;
  readonly maxEventBytes: number;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  /** The answer to the request; called at most once. */
  onAnswer(response: JsonRpcResponse): void;
  /** What stands for the answer is no response. */
  onMalformedAnswer(): void;
  onOversize(): void;
  onNotification(notification: JsonRpcNotification): void;
  onRequest(request: JsonRpcRequest): void;
  onProblem(problem: Error): void;
}

/**
 * Reads the event stream that answers one request: notices on the way, then the answer.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
 */
export function createAnswerStream(sink: StreamSink): SseReader {
  let answered = false;

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
        if (!answered && readMalformedAnswer(message) === sink.id) sink.onMalformedAnswer();
        sink.onProblem(new MortiseError("invalid_response", "Expected a JSON-RPC message in an event of the answer"));
    }
  };
  const receiveNotification = (notification: JsonRpcNotification): void => {
    if (notification.method !== "notifications/progress") sink.onNotification(notification);
    else if (!answered && notification.params?.progressToken === sink.id) sink.onProgress?.(notification.params);
  };
  const receiveResponse = (response: JsonRpcResponse): void => {
    if (answered || (response.id != null && response.id !== sink.id)) {
      sink.onProblem(new MortiseError("invalid_response", "Ignored a response that nothing waits for"));
      return;
    }
    answered = true;
    sink.onAnswer(response);
  };

  return createSseReader({
    maxEventBytes: sink.maxEventBytes,
    onEvent({ data, event }) {
      // Events without data only carry an id to resume from; other event names belong to someone else.
      if (data === "" || event !== "message") return;
      const message = parseJson(data);
      if (message !== undefined) receive(message);
      else sink.onProblem(new MortiseError("invalid_response", "Expected JSON in an event of the answer"));
    },
    onOversize: () => sink.onOversize(),
  });
}

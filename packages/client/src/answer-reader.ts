import {
  classifyMessage,
  createSseReader,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type RequestId,
} from "@mortise/core";
import { toError } from "./failures.js";
import type { Answer } from "./link.js";
import type { HttpHead, HttpReceiver } from "./platform/platform.js";

/** How long a stream may stay open after its answer before the client closes it. */
const LINGER_MS = 250;
/** How much of a body that is no answer is kept for the error message. */
const QUOTE_CHARS = 500;

/** Where the parts of an answer go. */
export interface AnswerSink {
  readonly maxMessageBytes: number;
  decode(chunks: readonly Uint8Array[]): string | undefined;
  onAnswer(answer: Answer): void;
  onFailure(error: Error): void;
  /** The answer is complete, and what still comes is not wanted: close the exchange. */
  onDone(): void;
  readonly onProgress: ((progress: JsonObject) => void) | undefined;
  onNotification(notification: JsonRpcNotification): void;
  onRequest(request: JsonRpcRequest): void;
  onProblem(problem: Error): void;
}

/** Reads one HTTP answer, as JSON or as an event stream. */
export interface AnswerReader extends HttpReceiver {
  /** Whether the head of the answer has come. */
  started(): boolean;
}

/**
 * Reads the HTTP answer to the request with the given id.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#receiving-messages
 */
export function createAnswerReader(id: RequestId, sink: AnswerSink): AnswerReader {
  let body: HttpReceiver | undefined;
  return {
    started: () => body !== undefined,
    onHead(head) {
      const isStream = head.status >= 200 && head.status < 300 && isEventStream(head.header("content-type"));
      body = isStream ? readStream(id, head, sink) : readBody(id, head, sink);
    },
    onData: (chunk) => body?.onData(chunk),
    onEnd: () => body?.onEnd(),
    onFailure: (error) => (body === undefined ? sink.onFailure(error) : body.onFailure(error)),
  };
}

function readBody(id: RequestId, head: HttpHead, sink: AnswerSink): HttpReceiver {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return {
    onHead: () => undefined,
    onData(chunk) {
      size += chunk.byteLength;
      if (size <= sink.maxMessageBytes) chunks.push(chunk);
      else sink.onFailure(tooLarge(sink.maxMessageBytes));
    },
    onEnd() {
      const text = sink.decode(chunks);
      const message = text === undefined ? undefined : parseJson(text);
      const response = message === undefined ? undefined : findResponse(message, id);
      if (response !== undefined) return sink.onAnswer(toAnswer(response, head));
      const body = text === undefined ? "a body that is not UTF-8" : text.slice(0, QUOTE_CHARS);
      sink.onAnswer({ kind: "refused", status: head.status, header: (name) => head.header(name), body });
    },
    onFailure: (error) => sink.onFailure(error),
  };
}

function readStream(id: RequestId, head: HttpHead, sink: AnswerSink): HttpReceiver {
  let answered = false;
  let linger: ReturnType<typeof setTimeout> | undefined;

  const onMessage = (message: unknown): void => {
    switch (classifyMessage(message)) {
      case "batch":
        // The 2025-03-26 revision lets a server put several messages into one event.
        for (const entry of message as unknown[]) onMessage(entry); // a batch is an array by definition
        return;
      case "notification":
        onNotification(message as JsonRpcNotification); // classified just now
        return;
      case "request":
        sink.onRequest(message as JsonRpcRequest); // classified just now
        return;
      case "response":
        onResponse(message as JsonRpcResponse); // classified just now
        return;
      default:
        sink.onProblem(new MortiseError("invalid_response", "Expected a JSON-RPC message in an event of the answer"));
    }
  };
  const onNotification = (notification: JsonRpcNotification): void => {
    if (notification.method !== "notifications/progress") sink.onNotification(notification);
    else if (!answered && notification.params?.progressToken === id) sink.onProgress?.(notification.params);
  };
  const onResponse = (response: JsonRpcResponse): void => {
    if (answered || (response.id != null && response.id !== id)) {
      sink.onProblem(new MortiseError("invalid_response", "Ignored a response that nothing waits for"));
      return;
    }
    answered = true;
    sink.onAnswer(toAnswer(response, head));
    // Most servers end the stream now, and the connection can be used again. One that does not is hung up on.
    linger = setTimeout(sink.onDone, LINGER_MS);
  };
  const reader = createSseReader({
    maxEventBytes: sink.maxMessageBytes,
    onEvent({ data, event }) {
      // Events without data only carry an id to resume from; other event names belong to someone else.
      if (data === "" || event !== "message") return;
      const message = parseJson(data);
      if (message === undefined)
        sink.onProblem(new MortiseError("invalid_response", "Expected JSON in an event of the answer"));
      else onMessage(message);
    },
    onOversize: () => sink.onFailure(tooLarge(sink.maxMessageBytes)),
  });
  return {
    onHead: () => undefined,
    onData: (chunk) => reader.feed(chunk),
    onEnd() {
      clearTimeout(linger);
      reader.end();
      if (!answered)
        sink.onFailure(
          new MortiseError(
            "stream_ended",
            "The event stream ended before the answer; the request is lost and was not repeated",
          ),
        );
    },
    onFailure(error) {
      clearTimeout(linger);
      if (!answered) sink.onFailure(toError(error));
    },
  };
}

/** The response in a body. A body answers one request, so an error without an id is meant for it. */
function findResponse(message: unknown, id: RequestId): JsonRpcResponse | undefined {
  if (Array.isArray(message))
    return message.map((entry) => findResponse(entry, id)).find((response) => response !== undefined);
  if (classifyMessage(message) !== "response") return undefined;
  const response = message as JsonRpcResponse; // classified just now
  return response.id == null || response.id === id ? response : undefined;
}

function toAnswer(response: JsonRpcResponse, head: HttpHead): Answer {
  const origin = { status: head.status, header: (name: string) => head.header(name) };
  return "error" in response
    ? { kind: "error", error: response.error, ...origin }
    : { kind: "result", result: response.result, ...origin };
}

function isEventStream(contentType: string | undefined): boolean {
  return contentType?.trimStart().toLowerCase().startsWith("text/event-stream") === true;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function tooLarge(limit: number): MortiseError {
  return new MortiseError(
    "response_too_large",
    `Expected a message of at most ${limit} bytes; raise "maxMessageBytes" if this server may send more`,
  );
}

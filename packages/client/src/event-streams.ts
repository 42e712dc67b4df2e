import { type JsonRpcResponse, MortiseError, toError } from "@mortise/core";
import type { SseReader } from "@mortise/core/event-streams";
import { createAnswerStream } from "./answer-stream.js";
import type { ExchangeHost, HttpExchange } from "./http-exchange.js";
import type { AnswerHead, EventStreams, LostStream } from "./link.js";
import type { HttpHead, HttpSending } from "./platform/platform.js";
import { readProgress } from "./progress.js";

/** How long a stream may stay open after its answer before the client hangs up, in milliseconds. */
const LINGER_MS = 250;

/** Reads the event stream of one exchange. */
export interface StreamReading {
  feed(chunk: Uint8Array): void;
  /** No more bytes. */
  end(): void;
  /** The stream broke off. */
  fail(error: MortiseError): void;
}

/** The event streams of one HTTP link. */
export interface HttpStreams extends EventStreams {
  read(exchange: HttpExchange, head: HttpHead): StreamReading;
}

/** Reads what comes as event streams over one link. Loaded with the first of them. */
export function createEventStreams(host: ExchangeHost): HttpStreams {
  const { parseJson, means } = host;
  const { maxMessageBytes, onProblem } = means;
  return {
    open: (headers, createReader) => host.exchange("GET", ["Accept", "text/event-stream", ...headers], createReader),
    createReader: (onRetry) =>
      createAnswerStream({
        id: undefined,
        maxEventBytes: maxMessageBytes,
        parseJson,
        // It belongs to the answer of its request, but some servers have only one place for what they say on the way.
        onProgress: (params) => host.active.reportProgress(params.progressToken, readProgress(params)),
        onNotification: (notification) => host.listener.onNotification(notification),
        onRequest: (request) => host.listener.onRequest(request),
        onOversize: () => {
          onProblem(new MortiseError("response_too_large", `Left out an event of more than ${maxMessageBytes} bytes`));
        },
        onProblem,
        onRetry,
      }),
    read: (exchange, head) => new ExchangeStream(exchange, head, host),
  };
}

class ExchangeStream implements StreamReading {
  readonly #exchange: HttpExchange;
  readonly #host: ExchangeHost;
  readonly #reader: SseReader;
  /** How long the server wants to be left alone after it ended the stream, in milliseconds. */
  #retryMs: number | undefined;

  constructor(exchange: HttpExchange, head: HttpHead, host: ExchangeHost) {
    this.#exchange = exchange;
    this.#host = host;
    this.#reader = exchange.options.createReader?.(head, exchange.request.url) ?? this.#createReader(head);
  }

  feed(chunk: Uint8Array): void {
    this.#reader.feed(chunk);
  }

  end(): void {
    this.#reader.end();
    this.fail(
      new MortiseError(
        "stream_ended",
        "The event stream ended before the answer, which is lost; the request was not repeated",
      ),
    );
  }

  /** The stream is gone. If the answer is still to come, it may be had from another one. */
  fail(error: MortiseError): void {
    const exchange = this.#exchange;
    const { id, resume } = exchange.options;
    const { lastEventId } = this.#reader;
    if (exchange.isSettled || id === undefined || resume === undefined || lastEventId === "") {
      exchange.fail(error);
      return;
    }
    const lost: LostStream = {
      lastEventId,
      createReader: (head) => this.#createReader(head),
      retryAfter: () => this.#retryMs,
      isAnswered: () => exchange.isSettled,
      onLost: () => exchange.fail(error),
    };
    exchange.sending = whenLoaded(resume(lost), (thrown) => exchange.fail(toError(thrown)));
  }

  /** Reads the notices on the way, and the answer. */
  #createReader(head: AnswerHead): SseReader {
    const host = this.#host;
    const exchange = this.#exchange;
    const { id, onProgress, onNotification } = exchange.options;
    return createAnswerStream({
      id,
      maxEventBytes: host.means.maxMessageBytes,
      parseJson: host.parseJson,
      onProgress: (params) => onProgress?.(readProgress(params)),
      onAnswer: (response: JsonRpcResponse) => {
        exchange.answerWith(response, head);
        // Most servers end the stream now, and the connection can be used again. One that does not is hung up on.
        exchange.linger = setTimeout(() => exchange.hangUp(), LINGER_MS);
      },
      onMalformedAnswer: () => {
        exchange.refuse(head, "");
        exchange.hangUp();
      },
      onOversize: () => exchange.refuseSize(),
      onNotification: (notification) => {
        // Whoever waits for it may ask for what has changed, which nobody must believe to know any more.
        host.listener.onNotification(notification);
        onNotification?.(notification);
      },
      onRequest: (request) => host.listener.onRequest(request),
      onProblem: host.means.onProblem,
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
    });
  }
}

/** What goes on once it is loaded, and can be dropped before. */
function whenLoaded(loading: Promise<HttpSending>, onFailure: (thrown: unknown) => void): HttpSending {
  let loaded: HttpSending | undefined;
  let isDropped = false;
  loading.then((sending) => {
    loaded = sending;
    if (isDropped) sending.drop();
  }, onFailure);
  return {
    drop() {
      isDropped = true;
      loaded?.drop();
    },
  };
}

import { type JsonRpcMessage, MCPTimeoutError, MortiseError, type PipeEvents, type PipeTransport } from "@mortise/core";
import { createSseReader, type SseEvent } from "@mortise/core/event-streams";
import type { HttpRefusal } from "./answer.js";
import type { StreamLink } from "./http-link.js";
import type { EventStreams, Flight } from "./link.js";
import { refusalError } from "./refused-answer.js";

/** What the transport of 2024-11-05 stands on. */
export interface SseTransportOptions {
  /** Sends to the address of the stream, and from its first event on to the endpoint that this names. */
  readonly link: StreamLink;
  readonly streams: EventStreams;
  readonly maxMessageBytes: number;
  /** How long the server may take to open the stream and name its endpoint, in milliseconds; `undefined` means for ever. */
  readonly timeout: number | undefined;
  parseJson(text: string): unknown;
}

/**
 * Speaks HTTP+SSE, the transport of 2024-11-05, as if it were a pipe: what the client says is posted, what the server says
 * comes on one stream, which is the connection.
 *
 * Follows https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
export function createSseTransport(options: SseTransportOptions): PipeTransport {
  return new SseTransport(options);
}

class SseTransport implements PipeTransport {
  readonly #options: SseTransportOptions;
  /** The delivery of the last notice, which has to arrive before what is sent after it. */
  #notice: Promise<unknown> | undefined;

  constructor(options: SseTransportOptions) {
    this.#options = options;
  }

  start(events: PipeEvents): Promise<void> {
    return new Promise((resolve, reject) => {
      let ready = false;
      const flight = this.#open(events, (endpoint) => {
        clearTimeout(timer);
        if (endpoint instanceof URL) {
          ready = true;
          this.#moveTo(endpoint);
          resolve();
        } else flight.drop(endpoint);
      });
      const timer = startTimer(this.#options.timeout, (timeoutMs) =>
        flight.drop(new MCPTimeoutError(`The server named no endpoint within ${timeoutMs} ms`, { timeoutMs })),
      );
      const fail = (error: Error): void => {
        clearTimeout(timer);
        if (ready) {
          events.onClose(error);
          void this.#options.link.close(error);
        } else reject(error);
      };
      flight.answer.then(
        (answer) => fail(answer.kind === "refused" ? refusalError(answer) : noStream()),
        (error: Error) => fail(ready ? explainEnd(error) : error),
      );
    });
  }

  async send(message: JsonRpcMessage): Promise<void> {
    const { link } = this.#options;
    if (this.#notice !== undefined) await this.#notice;
    const delivery = link.post(message, []);
    if ("id" in message) return delivery;
    // Posts travel on connections of their own, and a server wants to hear that it is initialized before it is asked.
    const notice = delivery.then(ignore, ignore).then(() => {
      if (this.#notice === notice) this.#notice = undefined;
    });
    this.#notice = notice;
    return delivery;
  }

  close(): Promise<void> {
    return this.#options.link.close(new MortiseError("connection_closed", "The connection was closed"));
  }

  /** Opens the stream; the first event names the endpoint, or there is none. */
  #open(events: PipeEvents, onEndpoint: (endpoint: URL | MortiseError) => void): Flight {
    const { streams, maxMessageBytes, parseJson } = this.#options;
    return streams.open([], (_, url) => {
      let isFirst = true;
      return createSseReader({
        maxEventBytes: maxMessageBytes,
        onEvent: (event) => {
          if (isFirst) {
            isFirst = false;
            onEndpoint(readEndpoint(event, url));
            return;
          }
          if (event.event !== "message" || event.data === "") return;
          const message = parseJson(event.data);
          if (message === undefined)
            events.onError(new MortiseError("invalid_response", "Expected JSON in an event of the stream"));
          else events.onMessage(message);
        },
        // It may be the answer to any request, and all of them would wait for it.
        onOversize: () =>
          onEndpoint(
            new MortiseError(
              "response_too_large",
              `Expected a message of at most ${maxMessageBytes} bytes; raise "maxMessageBytes" if this server may send more`,
            ),
          ),
      });
    });
  }

  #moveTo(endpoint: URL): void {
    const { link } = this.#options;
    // What tells clients apart stands there, and whoever knows it can speak for this one.
    for (const value of endpoint.searchParams.values()) if (value.length >= 8) link.hide(value);
    link.onMoved(endpoint);
  }
}

/** Only the origin that has the stream may get what is sent, since that goes with the configured headers. */
function readEndpoint({ event, data }: SseEvent, url: URL): URL | MortiseError {
  if (event !== "endpoint" || !URL.canParse(data, url.href))
    return new MortiseError(
      "invalid_response",
      "Expected the stream to begin with an endpoint event that holds an address",
    );
  const endpoint = new URL(data, url);
  endpoint.username = "";
  endpoint.password = "";
  endpoint.hash = "";
  if (endpoint.origin === url.origin) return endpoint;
  return new MortiseError("redirect_refused", `Refused an endpoint on ${endpoint.origin}: it leaves the origin`);
}

function startTimer(
  timeout: number | undefined,
  onExpire: (timeoutMs: number) => void,
): ReturnType<typeof setTimeout> | undefined {
  return timeout === undefined ? undefined : setTimeout(onExpire, timeout, timeout);
}

function noStream(): MortiseError {
  const cause: HttpRefusal = { status: 200, body: "" };
  return new MortiseError("invalid_response", "Expected an event stream", { cause });
}

function explainEnd(cause: Error): Error {
  const isEnd = cause instanceof MortiseError && cause.code === "stream_ended";
  return isEnd
    ? new MortiseError("stream_ended", "The server ended the stream that carries its answers", { cause })
    : cause;
}

function ignore(): void {
  // Whoever sent it has been told.
}

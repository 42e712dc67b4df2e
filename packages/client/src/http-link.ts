import {
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
} from "@mortise/core";
import { readRefused } from "./answer.js";
import { answerWithin } from "./deadline.js";
import type { HttpStreams } from "./event-streams.js";
import { describeUrl } from "./failures.js";
import { type ExchangeHost, type ExchangeMeans, type ExchangeOptions, HttpExchange } from "./http-exchange.js";
import { InFlightList } from "./in-flight-list.js";
import { parseJson } from "./json-text.js";
import {
  type CreateReader,
  type EventStreams,
  type Flight,
  type Link,
  type LinkListener,
  type SendOptions,
  SILENT_LISTENER,
} from "./link.js";
import type { HeaderList, HttpRequest } from "./platform/platform.js";

/** How long a closing DELETE may take before the client stops waiting for it, in milliseconds. */
const END_SESSION_MS = 2_000;

/** What an HTTP link is made of. */
export interface HttpLinkOptions extends ExchangeMeans {
  readonly url: URL;
  /** Configured headers, sent with every request. */
  readonly headers: HeaderList;
  /** Texts that must never be shown; the list grows. */
  readonly secrets: string[];
  /** How long the server may take to accept a message that has no answer, in milliseconds; `undefined` means for ever. */
  readonly timeout: number | undefined;
}

/** A link on which an event stream can be asked for. */
export interface StreamLink extends Link {
  loadStreams(): Promise<EventStreams>;
  /** The value of a JSON text; `undefined` when the text is none. */
  parseJson(text: string): unknown;
  /** From now on messages go to another address. */
  onMoved(url: URL): void;
}

/** Opens the way to one MCP endpoint: each message is an exchange of its own. */
export function createHttpLink(options: HttpLinkOptions): StreamLink {
  return new HttpLink(options);
}

class HttpLink implements StreamLink, ExchangeHost {
  readonly shape = "http";
  readonly means: HttpLinkOptions;
  readonly active = new InFlightList();
  readonly parseJson = parseJson;
  streams: HttpStreams | undefined;
  listener: LinkListener = SILENT_LISTENER;
  closedBy: Error | undefined;
  /** Headers of every POST: the protocol's, then the configured ones. */
  readonly #postHeaders: HeaderList;
  /** Where requests go: the configured address, or where a permanent redirect moved it. */
  #url: URL;

  constructor(means: HttpLinkOptions) {
    this.means = means;
    this.#url = means.url;
    this.#postHeaders = [
      "Content-Type",
      "application/json",
      "Accept",
      "application/json, text/event-stream",
      ...means.headers,
    ];
  }

  send(request: JsonRpcRequest, { headers, onProgress, onNotification, resume }: SendOptions): Flight {
    return this.#post(request, headers, { id: request.id, onProgress, onNotification, resume });
  }

  async post(message: JsonRpcNotification | JsonRpcResponse, headers: HeaderList): Promise<void> {
    const expectation = `Expected ${describeUrl(this.#url)} to take a message`;
    const answer = await answerWithin(this.#post(message, headers, { id: undefined }), this.means.timeout, expectation);
    const { status } = answer.head;
    if (status >= 200 && status < 300) return;
    if (answer.kind === "refused" && (status === 401 || status === 403)) await readRefused(answer);
    throw new MortiseError("http_status", `${expectation}, received HTTP ${status}`, { cause: { status } });
  }

  async loadStreams(): Promise<HttpStreams> {
    const { createEventStreams } = await import("./event-streams.js");
    this.streams ??= createEventStreams(this);
    return this.streams;
  }

  /** Sends a request that has no body. */
  exchange(method: "GET" | "DELETE", headers: HeaderList, createReader?: CreateReader): Flight {
    const request = { method, url: this.#url, headers: [...this.means.headers, ...headers] };
    return this.#begin(request, { id: undefined, createReader });
  }

  async endSession(headers: HeaderList, reason: Error): Promise<void> {
    this.active.dropAll(reason);
    // The specification lets a server refuse this (405) or have forgotten the session (404): nothing to report.
    const end = answerWithin(this.exchange("DELETE", headers), END_SESSION_MS, "Expected the session to end");
    await end.catch(() => undefined);
  }

  close(reason: Error): Promise<void> {
    this.closedBy = reason;
    this.active.dropAll(reason);
    this.means.layer.close();
    this.listener.onClose(reason);
    return Promise.resolve();
  }

  hide(secret: string): void {
    this.means.secrets.push(secret);
  }

  onMoved(url: URL): void {
    this.#url = url;
  }

  #post(message: JsonRpcMessage, headers: HeaderList, options: ExchangeOptions): Flight {
    const body = JSON.stringify(message);
    return this.#begin({ method: "POST", url: this.#url, headers: [...this.#postHeaders, ...headers], body }, options);
  }

  #begin(request: HttpRequest, options: ExchangeOptions): Flight {
    if (this.closedBy === undefined) return new HttpExchange(this, request, options);
    return { answer: Promise.reject(this.closedBy), drop: () => undefined };
  }
}

import {
  classifyMessage,
  type JsonObject,
  type JsonRpcRequest,
  type JsonRpcResponse,
  MortiseError,
  type RequestId,
  type SseReader,
  toError,
} from "@mortise/core";
import { createAnswerStream } from "./answer-stream.js";
import { describeCause, describeUrl } from "./failures.js";
import { hideSecrets, redact } from "./header-list.js";
import type { InFlight, InFlightList } from "./in-flight-list.js";
import { parseJson } from "./json-text.js";
import { type Answer, type CreateReader, type Flight, type LinkListener, type SendOptions, toAnswer } from "./link.js";
import type { HttpHead, HttpLayer, HttpReceiver, HttpRequest, HttpSending } from "./platform/platform.js";
import { isRedirect, MAX_HOPS } from "./redirect.js";

/** How long a stream may stay open after its answer before the client hangs up, in milliseconds. */
const LINGER_MS = 250;
/** How much of a body that is no answer is kept for the error message. */
const QUOTE_CHARS = 500;

/** What the exchanges of one link share. */
export interface ExchangeHost {
  readonly layer: HttpLayer;
  readonly maxMessageBytes: number;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  readonly active: InFlightList;
  listener: LinkListener;
  decode(chunks: readonly Uint8Array[]): string | undefined;
  onProblem(problem: Error): void;
  onServerRequest(request: JsonRpcRequest): void;
  /** A permanent redirect moved the endpoint. */
  onMoved(url: URL): void;
}

/** What one exchange carries: a request by its id, or a message that has no answer. */
export interface ExchangeOptions {
  readonly id: RequestId | undefined;
  readonly onProgress?: SendOptions["onProgress"];
  readonly onNotification?: SendOptions["onNotification"];
  readonly resume?: SendOptions["resume"];
  /** Reads an event stream that is more than the answer to `id`. */
  readonly createReader?: CreateReader | undefined;
}

/** One HTTP request and its answer, as JSON or as an event stream. One object for all of it, as there is one for every call. */
export class HttpExchange implements Flight, HttpReceiver, InFlight {
  readonly answer: Promise<Answer>;
  previous: InFlight | undefined;
  next: InFlight | undefined;
  readonly #host: ExchangeHost;
  readonly #options: ExchangeOptions;
  #request: HttpRequest;
  #sending: HttpSending | undefined;
  #hops = 0;
  #head: HttpHead | undefined;
  #stream: SseReader | undefined;
  /** How long the server wants to be left alone after it ended the stream, in milliseconds. */
  #retryMs: number | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #settled = false;
  #held = false;
  #onHeld: Flight["onHeld"];
  #linger: ReturnType<typeof setTimeout> | undefined;
  #resolve!: (answer: Answer) => void; // set by the constructor, inside the promise
  #reject!: (error: Error) => void; // set by the constructor, inside the promise

  constructor(host: ExchangeHost, request: HttpRequest, options: ExchangeOptions) {
    this.#host = host;
    this.#request = request;
    this.#options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#sending = host.layer.send(request, this);
    host.active.add(this);
  }

  set onHeld(listener: Flight["onHeld"]) {
    this.#onHeld = listener;
    if (this.#held) listener?.(true);
  }

  drop(error: Error): void {
    this.#sending?.drop();
    this.#fail(error);
  }

  reportProgress(progress: JsonObject): void {
    const { id, onProgress } = this.#options;
    if (!this.#settled && id !== undefined && progress.progressToken === id) onProgress?.(progress);
  }

  /** @package */
  onHead(head: HttpHead): void {
    if (isRedirect(head.status) || leavesOrigin(head, this.#request.url)) {
      this.#sending?.drop();
      this.#redirect(head).catch((error: unknown) => this.#fail(toError(error)));
      return;
    }
    this.#head = head;
    const { id, createReader } = this.#options;
    const isStream = isEventStream(head.header("content-type"));
    if (head.status < 200 || head.status > 299 || (!isStream && createReader === undefined)) return;
    if (isStream && createReader !== undefined) this.#stream = createReader(head, this.#request.url);
    else if (isStream && id !== undefined) this.#stream = this.#openStream(id, head);
    if (this.#stream !== undefined) return;
    // Nothing in there is what was asked for, and it may never end.
    this.#refuse(head, "");
    this.#hangUp();
  }

  /** @package */
  onData(chunk: Uint8Array): void {
    if (this.#stream !== undefined) {
      this.#stream.feed(chunk);
      return;
    }
    this.#size += chunk.byteLength;
    if (this.#size > this.#host.maxMessageBytes) this.#refuseSize();
    else this.#chunks.push(chunk);
  }

  /** @package */
  onEnd(): void {
    if (this.#stream !== undefined) {
      this.#stream.end();
      this.#lose(
        new MortiseError(
          "stream_ended",
          "The event stream ended before the answer, which is lost; the request was not repeated",
        ),
      );
      return;
    }
    this.#release();
    if (this.#head !== undefined) this.#readBody(this.#head);
  }

  /** @package */
  onFailure(error: Error): void {
    const explained = this.#explain(error);
    if (this.#stream === undefined) this.#fail(explained);
    else this.#lose(explained);
  }

  /** @package */
  onHold(held: boolean): void {
    this.#held = held;
    this.#onHeld?.(held);
  }

  /** The stream is gone. If the answer is still to come, it may be had from another one. */
  #lose(error: MortiseError): void {
    const { id, resume } = this.#options;
    const lastEventId = this.#stream?.lastEventId ?? "";
    if (this.#settled || id === undefined || resume === undefined || lastEventId === "") {
      this.#fail(error);
      return;
    }
    this.#sending = resume({
      lastEventId,
      createReader: (head) => this.#openStream(id, head),
      retryAfter: () => this.#retryMs,
      isAnswered: () => this.#settled,
      onLost: () => this.#fail(error),
    });
  }

  #readBody(head: HttpHead): void {
    const text = this.#host.decode(this.#chunks);
    this.#chunks = [];
    const response = text === undefined ? undefined : findResponse(parseJson(text), this.#options.id);
    if (response === undefined) this.#refuse(head, text ?? "a body that is not UTF-8");
    else this.#settle(toAnswer(response, head));
  }

  #openStream(id: RequestId, head: HttpHead): SseReader {
    const host = this.#host;
    return createAnswerStream({
      id,
      maxEventBytes: host.maxMessageBytes,
      onProgress: this.#options.onProgress,
      onAnswer: (response) => {
        this.#settle(toAnswer(response, head));
        // Most servers end the stream now, and the connection can be used again. One that does not is hung up on.
        this.#linger = setTimeout(() => this.#hangUp(), LINGER_MS);
      },
      onMalformedAnswer: () => {
        this.#refuse(head, "");
        this.#hangUp();
      },
      onOversize: () => this.#refuseSize(),
      onNotification: (notification) => {
        // Whoever waits for it may ask for what has changed, which nobody must believe to know any more.
        host.listener.onNotification(notification);
        this.#options.onNotification?.(notification);
      },
      onRequest: (request) => host.onServerRequest(request),
      onProblem: host.onProblem,
      onRetry: (ms) => {
        this.#retryMs = ms;
      },
    });
  }

  /** Goes where the server points, if that may be done. */
  async #redirect(head: HttpHead): Promise<void> {
    const { followRedirect } = await import("./follow-redirect.js");
    if (this.#settled) return;
    this.#hops += 1;
    const target = followRedirect(this.#request, head, { hops: this.#hops, most: MAX_HOPS, describeUrl });
    if (target instanceof MortiseError) throw target;
    if (head.status === 308) this.#host.onMoved(target);
    this.#request = { ...this.#request, url: target };
    this.#sending = this.#host.layer.send(this.#request, this);
  }

  #refuse(head: HttpHead, body: string): void {
    // Cut last: what is left of a secret that was cut is one still.
    this.#settle({ kind: "refused", head, body: redact(body, this.#host.secrets).slice(0, QUOTE_CHARS) });
  }

  #refuseSize(): void {
    const limit = this.#host.maxMessageBytes;
    this.drop(
      new MortiseError(
        "response_too_large",
        `Expected a message of at most ${limit} bytes; raise "maxMessageBytes" if this server may send more`,
      ),
    );
  }

  #explain(error: Error): MortiseError {
    if (error instanceof MortiseError) return error;
    const address = describeUrl(this.#request.url);
    const cause = redact(describeCause(error), this.#host.secrets);
    if (this.#head !== undefined)
      return new MortiseError("stream_ended", `The answer from ${address} broke off: ${cause}`, { cause: error });
    return new MortiseError("connection_failed", `Could not get an answer from ${address}: ${cause}`, { cause: error });
  }

  #settle(answer: Answer): void {
    if (this.#settled) return;
    this.#settled = true;
    this.#resolve(answer.kind === "result" ? answer : hideSecrets(answer, this.#host.secrets));
  }

  #fail(error: Error): void {
    this.#release();
    if (this.#settled) return;
    this.#settled = true;
    this.#reject(error);
  }

  #hangUp(): void {
    this.#sending?.drop();
    this.#release();
  }

  #release(): void {
    if (this.#linger !== undefined) clearTimeout(this.#linger);
    this.#host.active.remove(this);
  }
}

/** The response in a body. A body answers one request, so an error without an id is meant for it. */
function findResponse(body: unknown, id: RequestId | undefined): JsonRpcResponse | undefined {
  if (!Array.isArray(body)) return isResponseTo(body, id) ? body : undefined;
  return body.find((entry): entry is JsonRpcResponse => isResponseTo(entry, id));
}

function isResponseTo(message: unknown, id: RequestId | undefined): message is JsonRpcResponse {
  if (classifyMessage(message) !== "response") return false;
  const response = message as JsonRpcResponse; // classified just now
  return response.id == null || response.id === id;
}

/** Whether a layer below followed a redirect to another origin. One that stayed there is nothing to decide about. */
function leavesOrigin({ finalUrl }: HttpHead, { origin }: URL): boolean {
  return finalUrl !== undefined && new URL(finalUrl).origin !== origin;
}

function isEventStream(contentType: string | undefined): boolean {
  return contentType?.trimStart().toLowerCase().startsWith("text/event-stream") === true;
}

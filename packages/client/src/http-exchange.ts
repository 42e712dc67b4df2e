import { classifyMessage, type JsonRpcResponse, MortiseError, type RequestId, toError } from "@mortise/core";
import type { HttpStreams, StreamReading } from "./event-streams.js";
import { describeCause, describeUrl } from "./failures.js";
import { hideSecrets, redact } from "./header-list.js";
import type { InFlight, InFlightList } from "./in-flight-list.js";
import { parseJson } from "./json-text.js";
import {
  type Answer,
  type AnswerHead,
  type CreateReader,
  type Flight,
  type LinkListener,
  type SendOptions,
  toAnswer,
} from "./link.js";
import type { Progress } from "./options.js";
import type { HeaderList, HttpHead, HttpLayer, HttpReceiver, HttpRequest, HttpSending } from "./platform/platform.js";
import { isRedirect, MAX_HOPS } from "./redirect.js";

/** What exchanges are made with. */
export interface ExchangeMeans {
  readonly layer: HttpLayer;
  readonly maxMessageBytes: number;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  decode(chunks: readonly Uint8Array[]): string | undefined;
  onProblem(problem: Error): void;
}

/** What the exchanges of one link share. */
export interface ExchangeHost {
  readonly means: ExchangeMeans;
  readonly active: InFlightList;
  listener: LinkListener;
  parseJson(text: string): unknown;
  /** What reads event streams, once it is loaded. */
  readonly streams: HttpStreams | undefined;
  loadStreams(): Promise<HttpStreams>;
  /** Sends a request that has no body. */
  exchange(method: "GET" | "DELETE", headers: HeaderList, createReader?: CreateReader): Flight;
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
  /** @package */
  readonly options: ExchangeOptions;
  /** @package */
  isSettled = false;
  /** What carries the answer now. @package */
  sending: HttpSending | undefined;
  /** Hangs up after the answer. @package */
  linger: ReturnType<typeof setTimeout> | undefined;
  /** @package */
  request: HttpRequest;
  /** How often it was redirected. @package */
  hops = 0;
  #head: HttpHead | undefined;
  #stream: StreamReading | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #held = false;
  #onHeld: Flight["onHeld"];
  #resolve!: (answer: Answer) => void; // set by the constructor, inside the promise
  #reject!: (error: Error) => void; // set by the constructor, inside the promise

  constructor(host: ExchangeHost, request: HttpRequest, options: ExchangeOptions) {
    this.#host = host;
    this.request = request;
    this.options = options;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.sending = host.means.layer.send(request, this);
    host.active.add(this);
  }

  set onHeld(listener: Flight["onHeld"]) {
    this.#onHeld = listener;
    if (this.#held) listener?.(true);
  }

  /** Ends it whatever it waits for; without an effect where the answer is there. */
  drop(error: Error): void {
    this.hangUp();
    this.isSettled = true;
    this.#reject(error);
  }

  reportProgress(token: unknown, progress: Progress | undefined): void {
    const { id, onProgress } = this.options;
    if (!this.isSettled && id !== undefined && token === id) onProgress?.(progress);
  }

  /** @package */
  onHead(head: HttpHead): void {
    const { status } = head;
    if (isRedirect(status) || leavesOrigin(head, this.request.url)) {
      this.sending?.drop();
      this.#take(({ followRedirect }) => followRedirect(this, head, { most: MAX_HOPS, describeUrl }));
      return;
    }
    this.#head = head;
    const { id, createReader } = this.options;
    const isStream = isEventStream(head.header("content-type"));
    if (status < 200 || status > 299 || (!isStream && createReader === undefined)) return;
    if (isStream && (createReader !== undefined || id !== undefined)) {
      this.#openStream(head);
      return;
    }
    // Nothing in there is what was asked for, and it may never end.
    this.refuse(head, "");
    this.hangUp();
  }

  /** @package */
  onData(chunk: Uint8Array): void {
    if (this.#stream !== undefined) {
      this.#stream.feed(chunk);
      return;
    }
    this.#size += chunk.byteLength;
    if (this.#size > this.#host.means.maxMessageBytes) this.refuseSize();
    else this.#chunks.push(chunk);
  }

  /** @package */
  onEnd(): void {
    if (this.#stream !== undefined) {
      this.#stream.end();
      return;
    }
    this.#release();
    if (this.#head !== undefined) this.#readBody(this.#head);
  }

  /** @package */
  onFailure(error: Error): void {
    const explained = this.#explain(error);
    if (this.#stream === undefined) this.fail(explained);
    else this.#stream.fail(explained);
  }

  /** @package */
  onHold(held: boolean): void {
    this.#held = held;
    this.#onHeld?.(held);
  }

  #readBody(head: HttpHead): void {
    const text = this.#host.means.decode(this.#chunks);
    this.#chunks = [];
    const response = text === undefined ? undefined : findResponse(parseJson(text), this.options.id);
    if (response === undefined) this.refuse(head, text ?? "a body that is not UTF-8");
    else this.answerWith(response, head);
  }

  /** Reads an event stream, once what does is loaded; what comes until then waits. */
  #openStream(head: HttpHead): void {
    const { streams } = this.#host;
    if (streams !== undefined) {
      this.#stream = streams.read(this, head);
      return;
    }
    const early: ((stream: StreamReading) => void)[] = [];
    this.#stream = {
      feed: (chunk) => void early.push((stream) => stream.feed(chunk)),
      end: () => void early.push((stream) => stream.end()),
      fail: (error) => void early.push((stream) => stream.fail(error)),
    };
    this.#host.loadStreams().then(
      (loaded) => {
        if (this.isSettled) return;
        const stream = loaded.read(this, head);
        this.#stream = stream;
        for (const tell of early) tell(stream);
      },
      (error: unknown) => this.drop(toError(error)),
    );
  }

  /** Sends the request to another address. @package */
  sendTo(url: URL, isMoved: boolean): void {
    if (isMoved) this.#host.onMoved(url);
    this.hops += 1;
    this.request = { ...this.request, url };
    this.sending = this.#host.means.layer.send(this.request, this);
  }

  /** @package */
  answerWith(response: JsonRpcResponse, head: AnswerHead): void {
    this.#settle(toAnswer(response, head));
  }

  /** @package */
  refuse(head: AnswerHead, body: string): void {
    this.#settle({ kind: "refused", head, body });
  }

  /** @package */
  refuseSize(): void {
    this.hangUp();
    this.isSettled = true;
    this.#take(({ refuseSize }) => refuseSize(this.#host.means.maxMessageBytes));
  }

  /** Does what only odd answers need. What it throws is the failure. */
  #take(work: (room: typeof import("./odd-answer.js")) => void): void {
    import("./odd-answer.js").then(work).catch((error: unknown) => this.drop(toError(error)));
  }

  #explain(error: Error): MortiseError {
    if (error instanceof MortiseError) return error;
    const address = describeUrl(this.request.url);
    const cause = redact(describeCause(error), this.#host.means.secrets);
    if (this.#head !== undefined)
      return new MortiseError("stream_ended", `The answer from ${address} broke off: ${cause}`, { cause: error });
    return new MortiseError("connection_failed", `Could not get an answer from ${address}: ${cause}`, { cause: error });
  }

  #settle(answer: Answer): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#resolve(answer.kind === "result" ? answer : hideSecrets(answer, this.#host.means.secrets));
  }

  /** @package */
  fail(error: Error): void {
    this.#release();
    if (!this.isSettled) this.drop(error);
  }

  /** @package */
  hangUp(): void {
    this.sending?.drop();
    this.#release();
  }

  #release(): void {
    if (this.linger !== undefined) clearTimeout(this.linger);
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

import { type JsonRpcNotification, type JsonRpcRequest, type JsonRpcResponse, MortiseError } from "@mortise/core";
import { createAnswerReader } from "./answer-reader.js";
import { describeCause, describeUrl } from "./failures.js";
import { redact } from "./header-list.js";
import { type Answer, type Flight, type Link, type LinkListener, type SendOptions, SILENT_LISTENER } from "./link.js";
import type { HeaderList, HttpHead, HttpLayer, HttpReceiver, HttpRequest } from "./platform/platform.js";
import { followRedirect, isRedirect, MAX_HOPS } from "./redirect.js";

const JSON_HEADERS: HeaderList = ["Content-Type", "application/json", "Accept", "application/json, text/event-stream"];
/** How long a closing DELETE may take before the client stops waiting for it. */
const END_SESSION_MS = 2_000;

/** What an HTTP link is made of. */
export interface HttpLinkOptions {
  readonly url: URL;
  readonly layer: HttpLayer;
  /** Configured headers, sent with every request. */
  readonly headers: HeaderList;
  /** Texts that must never be shown. */
  readonly secrets: readonly string[];
  readonly maxMessageBytes: number;
  decode(chunks: readonly Uint8Array[]): string | undefined;
  onProblem(problem: Error): void;
}

/** Opens the way to one MCP endpoint: each message is an exchange of its own. */
export function createHttpLink(options: HttpLinkOptions): Link {
  return new HttpLink(options);
}

class HttpLink implements Link {
  readonly shape = "http";
  listener: LinkListener = SILENT_LISTENER;
  closedBy: Error | undefined;
  readonly #options: HttpLinkOptions;
  readonly #active = new Set<(reason: Error) => void>();
  /** Where requests go: the configured address, or where a permanent redirect moved it. */
  #url: URL;

  constructor(options: HttpLinkOptions) {
    this.#options = options;
    this.#url = options.url;
  }

  send(request: JsonRpcRequest, sending: SendOptions): Flight {
    const { promise, resolve, reject } = createDeferred<Answer>();
    let over = false;
    let dropExchange: (() => void) | undefined;
    const settle = (finish: () => void): void => {
      if (over) return;
      over = true;
      finish();
    };
    const release = (): void => void this.#active.delete(drop);
    const drop = (error: Error): void => {
      release();
      dropExchange?.();
      settle(() => reject(error));
    };
    // Before anything is kept: arguments that JSON cannot hold throw here.
    const body = JSON.stringify(request);
    if (this.closedBy !== undefined) {
      reject(this.closedBy);
      return { answer: promise, drop };
    }
    this.#active.add(drop);
    const reader = createAnswerReader(request.id, {
      maxMessageBytes: this.#options.maxMessageBytes,
      decode: this.#options.decode,
      onAnswer: (answer) =>
        settle(() => resolve(answer.kind === "refused" ? { ...answer, body: this.#redact(answer.body) } : answer)),
      onFailure: (error) => drop(error),
      onDone: () => {
        release();
        dropExchange?.();
      },
      onProgress: sending.onProgress,
      onNotification: (notification) => this.listener.onNotification(notification),
      onRequest: (incoming) => this.#answerServer(incoming),
      onProblem: this.#options.onProblem,
    });
    const headers = [...JSON_HEADERS, ...this.#options.headers, ...sending.headers];
    dropExchange = this.#exchange(
      { method: "POST", url: this.#url, headers, body },
      {
        ...reader,
        onEnd: () => {
          release();
          reader.onEnd();
        },
        onFailure: (error) => {
          release();
          reader.onFailure(this.#explain(error, reader.started()));
        },
      },
    );
    return { answer: promise, drop };
  }

  async post(message: JsonRpcNotification | JsonRpcResponse, headers: HeaderList): Promise<void> {
    const status = await this.#statusOf({
      method: "POST",
      url: this.#url,
      headers: [...JSON_HEADERS, ...this.#options.headers, ...headers],
      body: JSON.stringify(message),
    });
    if (status < 200 || status > 299) {
      throw new MortiseError(
        "http_status",
        `Expected ${describeUrl(this.#url)} to accept a notification, received HTTP ${status}`,
        { cause: { status } },
      );
    }
  }

  async endSession(headers: HeaderList): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, END_SESSION_MS);
    });
    // The specification lets a server refuse this (405) or have forgotten the session (404): nothing to report.
    const request = this.#statusOf({
      method: "DELETE",
      url: this.#url,
      headers: [...this.#options.headers, ...headers],
    }).then(
      () => undefined,
      () => undefined,
    );
    await Promise.race([request, limit]);
    clearTimeout(timer);
  }

  close(reason: Error): Promise<void> {
    this.closedBy = reason;
    for (const drop of [...this.#active]) drop(reason);
    this.#options.layer.close();
    return Promise.resolve();
  }

  /** Sends one request, following redirects that keep the origin and the method. */
  #exchange(request: HttpRequest, receiver: HttpReceiver, hops = 0): () => void {
    let dropCurrent: () => void = () => undefined;
    let redirected = false;
    dropCurrent = this.#options.layer.send(request, {
      ...receiver,
      onHead: (head) => {
        const target =
          isRedirect(head.status) || head.finalUrl !== undefined ? followRedirect(request.url, head) : undefined;
        if (target === undefined) return receiver.onHead(head);
        redirected = true;
        dropCurrent();
        if (target instanceof MortiseError) return receiver.onFailure(target);
        if (hops + 1 > MAX_HOPS)
          return receiver.onFailure(
            new MortiseError(
              "redirect_refused",
              `Expected at most ${MAX_HOPS} redirects from ${describeUrl(this.#options.url)}`,
            ),
          );
        if (head.status === 308) this.#url = target;
        dropCurrent = this.#exchange({ ...request, url: target }, receiver, hops + 1);
      },
      onEnd: () => void (redirected || receiver.onEnd()),
      onFailure: (error) => void (redirected || receiver.onFailure(error)),
      onData: (chunk) => void (redirected || receiver.onData(chunk)),
    });
    return () => dropCurrent();
  }

  #statusOf(request: HttpRequest): Promise<number> {
    return new Promise((resolve, reject) => {
      const drop = (reason: Error): void => {
        this.#active.delete(drop);
        dropExchange();
        reject(reason);
      };
      let dropExchange = (): void => undefined;
      this.#active.add(drop);
      dropExchange = this.#exchange(request, {
        onHead: (head: HttpHead) => resolve(head.status),
        // The body of such an answer says nothing, but reading it keeps the connection usable.
        onData: () => undefined,
        onEnd: () => void this.#active.delete(drop),
        onFailure: (error) => {
          this.#active.delete(drop);
          reject(this.#explain(error, false));
        },
      });
    });
  }

  #answerServer(request: JsonRpcRequest): void {
    const response = this.listener.onRequest(request);
    if (response === undefined) return;
    this.post(response, this.listener.responseHeaders()).catch(this.#options.onProblem);
  }

  #explain(error: Error, started: boolean): MortiseError {
    if (error instanceof MortiseError) return error;
    const address = describeUrl(this.#url);
    if (started)
      return new MortiseError(
        "stream_ended",
        `The answer from ${address} broke off: ${this.#redact(describeCause(error))}`,
        { cause: error },
      );
    return new MortiseError(
      "connection_failed",
      `Could not get an answer from ${address}: ${this.#redact(describeCause(error))}`,
      { cause: error },
    );
  }

  #redact(text: string): string {
    return redact(text, this.#options.secrets);
  }
}

function createDeferred<T>(): { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void } {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
}

import { isThenable, MortiseError } from "@mortise/core";
import type { Authorizer, ProtectedRequest, RequestCredentials } from "./authorizer.js";
import type { HeaderList, HttpHead, HttpLayer, HttpReceiver, HttpRequest, HttpSending } from "./platform/platform.js";

/** How often one request is sent at most, whatever the authorizer thinks of it. */
const MOST_ATTEMPTS = 8;
/** A refusal's own words are kept up to this size, in bytes. */
const REFUSAL_BYTES = 16_384;
/** How long they may take to arrive, in milliseconds. */
const REFUSAL_MS = 1_000;

/** What requests are authorized with. */
export interface AuthLayerOptions {
  readonly layer: HttpLayer;
  readonly authorizer: Authorizer;
  /** The configured address of the endpoint. */
  readonly server: URL;
  /** Keeps a credential out of every error message. */
  hide(secret: string): void;
  onProblem(problem: Error): void;
  /** Makes an error of whatever was thrown. */
  toError(thrown: unknown): Error;
}

/** Sends requests with what an authorizer gives, and again after a refusal that it could do something about. */
export function createAuthLayer(options: AuthLayerOptions): HttpLayer {
  const host: AuthLayerHost = { ...options, hidden: undefined };
  return {
    send: (request, receiver) => new AuthorizedSending(host, request, receiver),
    close: () => options.layer.close(),
  };
}

/** What the requests of one layer share. */
interface AuthLayerHost extends AuthLayerOptions {
  /** The credentials that were hidden last: mostly all requests have the same. */
  hidden: RequestCredentials | undefined;
}

/** One request over all its attempts. To its receiver it looks like one. */
class AuthorizedSending implements HttpSending, HttpReceiver {
  readonly #host: AuthLayerHost;
  readonly #request: HttpRequest;
  readonly #receiver: HttpReceiver;
  readonly #subject: ProtectedRequest;
  readonly #gone = new AbortController();
  #credentials: RequestCredentials | undefined;
  #sending: HttpSending | undefined;
  #attempts = 0;
  /** The head of a refusal, until it is known what becomes of it. */
  #refusal: HttpHead | undefined;
  #refusalTimer: ReturnType<typeof setTimeout> | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(host: AuthLayerHost, request: HttpRequest, receiver: HttpReceiver) {
    this.#host = host;
    this.#request = request;
    this.#receiver = receiver;
    this.#subject = { server: host.server, url: request.url, method: request.method };
    this.#attempt();
  }

  drop(): void {
    clearTimeout(this.#refusalTimer);
    this.#gone.abort();
    this.#sending?.drop();
  }

  /** @package */
  onHead(head: HttpHead): void {
    const { authorizer } = this.#host;
    // The end of a session is not worth a login, and nobody waits for it.
    const isRefusal = (head.status === 401 || head.status === 403) && this.#request.method !== "DELETE";
    if (isRefusal && authorizer.refused !== undefined) {
      this.#refusal = head;
      this.#refusalTimer = setTimeout(() => this.#endRefusal(), REFUSAL_MS);
      return;
    }
    this.#tellAnswer(head);
    this.#receiver.onHead(head);
  }

  /** @package */
  onData(chunk: Uint8Array): void {
    if (this.#refusal === undefined) {
      this.#receiver.onData(chunk);
      return;
    }
    this.#size += chunk.byteLength;
    if (this.#size <= REFUSAL_BYTES) this.#chunks.push(chunk);
    else this.#endRefusal();
  }

  /** @package */
  onEnd(): void {
    if (this.#refusal === undefined) this.#receiver.onEnd();
    else void this.#settleRefusal(this.#refusal);
  }

  /** @package */
  onFailure(error: Error): void {
    if (this.#refusal === undefined) this.#receiver.onFailure(error);
    else void this.#settleRefusal(this.#refusal);
  }

  /** More than this is no explanation, and need not be waited for. */
  #endRefusal(): void {
    this.#sending?.drop();
    if (this.#refusal !== undefined) void this.#settleRefusal(this.#refusal);
  }

  #attempt(): void {
    const { authorizer } = this.#host;
    this.#attempts += 1;
    try {
      const credentials = authorizer.authorize(this.#subject, this.#gone.signal);
      if (isThenable(credentials)) void this.#attemptLater(credentials);
      else this.#send(credentials);
    } catch (error) {
      // Whoever sends is not told of a failure before it has got what it sent.
      queueMicrotask(() => this.#fail(error));
    }
  }

  async #attemptLater(credentials: PromiseLike<RequestCredentials | undefined>): Promise<void> {
    try {
      this.#send(await this.#hold(async () => credentials));
    } catch (error) {
      this.#fail(error);
    }
  }

  #send(credentials: RequestCredentials | undefined): void {
    if (this.#gone.signal.aborted) return;
    const host = this.#host;
    if (credentials !== undefined && credentials !== host.hidden) {
      for (const secret of listSecrets(credentials)) host.hide(secret);
      host.hidden = credentials;
    }
    this.#credentials = credentials;
    this.#sending = host.layer.send(
      { ...this.#request, headers: mergeHeaders(this.#request.headers, credentials) },
      this,
    );
  }

  async #settleRefusal(head: HttpHead): Promise<void> {
    const [chunks, attempts] = [this.#chunks, this.#attempts];
    const { authorizer } = this.#host;
    clearTimeout(this.#refusalTimer);
    this.#refusal = undefined;
    this.#chunks = [];
    this.#size = 0;
    const refusal = {
      ...this.#subject,
      status: head.status as 401 | 403, // nothing else is taken for a refusal
      header: (name: string) => head.header(name),
      credentials: this.#credentials,
      attempts,
    };
    try {
      const again =
        attempts < MOST_ATTEMPTS &&
        (await this.#hold(async () => (await authorizer.refused?.(refusal, this.#gone.signal)) ?? false));
      if (this.#gone.signal.aborted) return;
      if (again) {
        this.#attempt();
        return;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#receiver.onHead(head);
    for (const chunk of chunks) this.#receiver.onData(chunk);
    this.#receiver.onEnd();
  }

  /** Whoever waits for this request is not to lose patience with the server while the user signs in. */
  async #hold<T>(work: () => Promise<T>): Promise<T> {
    this.#receiver.onHold?.(true);
    try {
      return await work();
    } finally {
      this.#receiver.onHold?.(false);
    }
  }

  #tellAnswer(head: HttpHead): void {
    try {
      this.#host.authorizer.answered?.({
        ...this.#subject,
        status: head.status,
        header: (name) => head.header(name),
      });
    } catch (error) {
      this.#host.onProblem(this.#host.toError(error));
    }
  }

  #fail(error: unknown): void {
    if (this.#gone.signal.aborted) return;
    const failure = this.#host.toError(error);
    this.#receiver.onFailure(
      failure instanceof MortiseError
        ? failure
        : new MortiseError("unauthorized", "Could not get credentials for the server", { cause: failure }),
    );
  }
}

/** Exactly one value for each credential's header, whatever was configured. */
function mergeHeaders(configured: HeaderList, credentials: RequestCredentials | undefined): HeaderList {
  if (credentials === undefined) return configured;
  const own = Object.entries(credentials.headers);
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const kept: string[] = [];
  for (let at = 0; at + 1 < configured.length; at += 2) {
    const name = configured[at] ?? "";
    if (!names.has(name.toLowerCase())) kept.push(name, configured[at + 1] ?? "");
  }
  return [...kept, ...own.flat()];
}

/** The credential after its scheme: servers may echo it. A proof of possession is of no use to anybody else. */
function listSecrets(credentials: RequestCredentials | undefined): string[] {
  const entries = Object.entries(credentials?.headers ?? {}).filter(([name]) => name.toLowerCase() !== "dpop");
  return entries.map(([, value]) => value.slice(value.lastIndexOf(" ") + 1)).filter((secret) => secret.length >= 8);
}

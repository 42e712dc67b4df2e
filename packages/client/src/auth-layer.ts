import { MortiseError } from "@mortise/core";
import type { Authorizer, ProtectedRequest, RequestCredentials } from "./authorizer.js";
import { toError } from "./failures.js";
import type { HeaderList, HttpHead, HttpLayer, HttpReceiver, HttpRequest, HttpSending } from "./platform/platform.js";

/** How often one request is sent at most, whatever the authorizer thinks of it. */
const MOST_ATTEMPTS = 8;
/** A refusal's own words are kept up to this size, in bytes. */
const REFUSAL_BYTES = 16_384;

/** What requests are authorized with. */
export interface AuthLayerOptions {
  readonly layer: HttpLayer;
  readonly authorizer: Authorizer;
  /** The configured address of the endpoint. */
  readonly server: URL;
  /** Keeps a credential out of every error message. */
  hide(secret: string): void;
  onProblem(problem: Error): void;
}

/** Sends requests with what an authorizer gives, and again after a refusal that it could do something about. */
export function createAuthLayer(options: AuthLayerOptions): HttpLayer {
  return {
    send: (request, receiver) => new AuthorizedSending(options, request, receiver),
    close: () => options.layer.close(),
  };
}

/** One request over all its attempts. To its receiver it looks like one. */
class AuthorizedSending implements HttpSending, HttpReceiver {
  readonly #options: AuthLayerOptions;
  readonly #request: HttpRequest;
  readonly #receiver: HttpReceiver;
  readonly #subject: ProtectedRequest;
  readonly #gone = new AbortController();
  #credentials: RequestCredentials | undefined;
  #sending: HttpSending | undefined;
  #attempts = 0;
  /** The head of a refusal, until it is known what becomes of it. */
  #refusal: HttpHead | undefined;
  #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(options: AuthLayerOptions, request: HttpRequest, receiver: HttpReceiver) {
    this.#options = options;
    this.#request = request;
    this.#receiver = receiver;
    this.#subject = { server: options.server, url: request.url, method: request.method };
    void this.#attempt();
  }

  drop(): void {
    this.#gone.abort();
    this.#sending?.drop();
  }

  /** @package */
  onHead(head: HttpHead): void {
    const { authorizer } = this.#options;
    if ((head.status === 401 || head.status === 403) && authorizer.refused !== undefined) {
      this.#refusal = head;
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

  async #attempt(): Promise<void> {
    const { authorizer, layer, hide } = this.#options;
    this.#attempts += 1;
    try {
      this.#credentials = await this.#hold(async () => authorizer.authorize(this.#subject, this.#gone.signal));
      const headers = mergeHeaders(this.#request.headers, this.#credentials);
      for (const secret of listSecrets(this.#credentials)) hide(secret);
      if (!this.#gone.signal.aborted) this.#sending = layer.send({ ...this.#request, headers }, this);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #settleRefusal(head: HttpHead): Promise<void> {
    const [chunks, attempts] = [this.#chunks, this.#attempts];
    const { authorizer } = this.#options;
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
      if (again) return await this.#attempt();
    } catch (error) {
      this.#fail(error);
      return;
    }
    if (this.#gone.signal.aborted) return;
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
      this.#options.authorizer.answered?.({
        ...this.#subject,
        status: head.status,
        header: (name) => head.header(name),
      });
    } catch (error) {
      this.#options.onProblem(toError(error));
    }
  }

  #fail(error: unknown): void {
    if (this.#gone.signal.aborted) return;
    const failure = toError(error);
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

import type { Body, Exchange, HeaderList, Reply } from "./exchange.js";
import type { RequestExtra } from "./request-extra.js";
import { readWebBody } from "./web-body.js";

/** Bytes that may wait for a reader before it counts as slow. */
const HIGH_WATER_MARK = 65_536;
const ENCODER = new TextEncoder();

/** An exchange over `Request` and `Response`. The response is handed to `respond`, once. */
export class WebExchange implements Exchange {
  readonly #request: Request;
  readonly #extra: RequestExtra | undefined;
  readonly #respond: (response: Response) => void;
  #authority: string | undefined;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #onDrained: (() => void) | undefined;
  #onGone: (() => void) | undefined;
  readonly path: string;
  readonly mount = "";

  constructor(request: Request, extra: RequestExtra | undefined, respond: (response: Response) => void) {
    this.#request = request;
    this.#extra = extra;
    this.#respond = respond;
    this.path = readPath(request.url);
  }

  get method(): string {
    return this.#request.method;
  }

  get url(): string {
    return this.#request.url;
  }

  /** Requests made within a program have no `Host` header; then the address tells. */
  get authority(): string | undefined {
    this.#authority ??= this.#request.headers.get("host") ?? readAuthority(this.#request.url);
    return this.#authority;
  }

  get localAddress(): string | undefined {
    return this.#extra?.localAddress;
  }

  get localPort(): number | undefined {
    return undefined;
  }

  get parsedBody(): unknown {
    return this.#extra?.parsedBody;
  }

  get auth(): unknown {
    return this.#extra?.auth;
  }

  get context(): unknown {
    return this.#extra?.context;
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? undefined;
  }

  readBody(limit: number): Promise<Body> {
    return readWebBody(this.#request, limit);
  }

  reply({ status, headers, text, tail }: Reply): void {
    this.#unwatch();
    const body = tail === undefined ? text : join(ENCODER.encode(text), tail);
    this.#respond(new Response(body === "" ? null : body, { status, headers: toHeaders(headers) }));
  }

  begin(headers: HeaderList): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#drained(),
        cancel: () => this.#left(),
      },
      { highWaterMark: HIGH_WATER_MARK, size: (chunk) => chunk.byteLength },
    );
    this.#respond(new Response(body, { status: 200, headers: toHeaders(headers) }));
  }

  write(text: string): boolean {
    this.#controller?.enqueue(ENCODER.encode(text));
    return (this.#controller?.desiredSize ?? 1) > 0;
  }

  end(text: string): void {
    this.#unwatch();
    const controller = this.#controller;
    this.#controller = undefined;
    if (text !== "") controller?.enqueue(ENCODER.encode(text));
    controller?.close();
    this.#drained();
  }

  get backlog(): number {
    return this.#controller === undefined ? 0 : HIGH_WATER_MARK - (this.#controller.desiredSize ?? HIGH_WATER_MARK);
  }

  whenDrained(listener: () => void): void {
    this.#onDrained = listener;
  }

  whenGone(listener: () => void): void {
    this.#onGone = listener;
    const signal: AbortSignal | undefined = this.#request.signal; // some runtimes have none
    if (signal?.aborted) this.#left();
    else signal?.addEventListener("abort", this.#left);
  }

  defer(task: () => void): void {
    queueMicrotask(task);
  }

  #drained(): void {
    const listener = this.#onDrained;
    this.#onDrained = undefined;
    listener?.();
  }

  /** The peer has left: the request was aborted, or the body of the answer cancelled. */
  readonly #left = (): void => {
    const listener = this.#onGone;
    this.#unwatch();
    const controller = this.#controller;
    this.#controller = undefined;
    listener?.();
    this.#drained();
    closeQuietly(controller);
  };

  #unwatch(): void {
    if (this.#onGone === undefined) return;
    this.#onGone = undefined;
    this.#request.signal?.removeEventListener("abort", this.#left);
  }
}

/** Ends the body of an answer that nobody reads; a body that its reader cancelled is closed already and says so. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array> | undefined): void {
  try {
    controller?.close();
  } catch {
    return;
  }
}

/** Header pairs, without those that belong to one connection: the runtime owns that. */
function toHeaders(list: HeaderList): [string, string][] {
  const pairs: [string, string][] = [];
  for (let index = 0; index + 1 < list.length; index += 2) {
    const name = list[index] ?? "";
    if (name !== "Connection") pairs.push([name, list[index + 1] ?? ""]);
  }
  return pairs;
}

/** The path of an absolute address, found without parsing the rest. */
export function readPath(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const hash = url.indexOf("#", start);
  let end = query === -1 ? url.length : query;
  if (hash !== -1 && hash < end) end = hash;
  return url.slice(start, end);
}

function readAuthority(url: string): string | undefined {
  const start = url.indexOf("://") + 3;
  const end = url.indexOf("/", start);
  const authority = end === -1 ? url.slice(start) : url.slice(start, end);
  return authority === "" ? undefined : authority;
}

function join(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(head.length + tail.length);
  joined.set(head);
  joined.set(tail, head.length);
  return joined;
}

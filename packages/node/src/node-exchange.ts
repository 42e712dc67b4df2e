import type { IncomingMessage, ServerResponse } from "node:http";
import type { Body, Exchange, HeaderList, Reply } from "@mortise/http/exchange";
import { finishUnread } from "./finish-unread.js";
import { readNodeBody } from "./node-body.js";
import { type RequestTarget, readTarget } from "./request-target.js";

/** Above this many characters, joining head and body costs more than a second write. */
const LARGE_TEXT = 65_536;

/** A request as frameworks hand it on: they may have cut off a part of its path, read the body, and found out about the caller. */
interface FrameworkRequest {
  readonly originalUrl?: unknown;
  readonly body?: unknown;
  readonly auth?: unknown;
}

/** An exchange straight over Node's request and response: no web objects are built. */
export class NodeExchange implements Exchange {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #target: RequestTarget;
  readonly #readContext: ((request: IncomingMessage) => unknown) | undefined;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
    readContext: ((request: IncomingMessage) => unknown) | undefined,
  ) {
    this.#request = request;
    this.#response = response;
    this.#target = target;
    this.#readContext = readContext;
  }

  get method(): string {
    return this.#request.method ?? "";
  }

  get path(): string {
    return this.#target.path;
  }

  get mount(): string {
    const { originalUrl } = this.#request as FrameworkRequest; // frameworks add members to Node's object
    if (typeof originalUrl !== "string") return "";
    const { path } = readTarget(originalUrl);
    return path.endsWith(this.path) ? path.slice(0, path.length - this.path.length) : "";
  }

  get url(): string {
    const scheme = "encrypted" in this.#request.socket ? "https" : "http";
    const { path, query } = this.#target;
    return `${scheme}://${this.authority ?? "localhost"}${path}${query}`;
  }

  get authority(): string | undefined {
    const { rawHeaders, headers } = this.#request;
    const host = readHost(rawHeaders) ?? headers[":authority"]?.toString();
    const named = this.#target.authority;
    if (named === undefined) return host;
    // A request line and a header that contradict each other have no valid reading.
    return host === undefined || host === named ? named : `${named}, ${host}`;
  }

  get localAddress(): string | undefined {
    return this.#request.socket.localAddress;
  }

  get localPort(): number | undefined {
    return this.#request.socket.localPort;
  }

  /** What a body parser left. One that had nothing to do leaves the stream unread, whatever it put into `body`. */
  get parsedBody(): unknown {
    if (!this.#request.readableDidRead) return undefined;
    return (this.#request as FrameworkRequest).body; // frameworks add members to Node's object
  }

  get auth(): unknown {
    return (this.#request as FrameworkRequest).auth; // frameworks add members to Node's object
  }

  get context(): unknown {
    return this.#readContext?.(this.#request);
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  readBody(limit: number): Promise<Body> {
    return readNodeBody(this.#request, limit);
  }

  reply({ status, headers, text, tail }: Reply): void {
    const response = this.#response;
    if (response.headersSent || response.destroyed) return;
    const length = Buffer.byteLength(text);
    const encoding = length === text.length ? "latin1" : "utf8";
    const own = this.#request.httpVersionMajor > 1 ? withoutConnection(headers) : headers;
    const size = length + (tail?.length ?? 0);
    response.writeHead(status, status === 204 ? [...own] : [...own, "Content-Length", String(size)]);
    if (status === 413) finishUnread(this.#request, response, text);
    else if (tail === undefined) this.#endWith(text, encoding);
    else {
      response.write(text, encoding);
      response.end(tail);
    }
  }

  #endWith(text: string, encoding: "latin1" | "utf8"): void {
    if (text.length > LARGE_TEXT) this.#response.flushHeaders();
    this.#response.end(text, encoding);
  }

  begin(headers: HeaderList): void {
    if (!this.#response.headersSent) this.#response.writeHead(200, [...headers]);
  }

  write(text: string): boolean {
    return this.#response.destroyed || this.#response.write(text);
  }

  end(text: string): void {
    if (this.#response.destroyed) return;
    if (text === "") this.#response.end();
    else this.#response.end(text);
  }

  get backlog(): number {
    return this.#response.writableLength;
  }

  whenDrained(listener: () => void): void {
    const response = this.#response;
    const settle = (): void => {
      response.off("drain", settle);
      response.off("close", settle);
      listener();
    };
    response.on("drain", settle);
    response.on("close", settle);
  }

  whenGone(listener: () => void): void {
    if (this.#response.destroyed || this.#response.closed) listener();
    else this.#response.on("close", listener);
  }

  /** Before the head is out a whole turn is waited for, since the answer may be complete by then and leave in one piece. */
  defer(task: () => void): void {
    if (this.#response.headersSent) process.nextTick(task);
    else setImmediate(task);
  }
}

/** HTTP/2 has no header about the connection, which carries other requests as well. */
function withoutConnection(headers: HeaderList): HeaderList {
  const at = headers.indexOf("Connection");
  return at === -1 ? headers : [...headers.slice(0, at), ...headers.slice(at + 2)];
}

/** The `Host` header; two of them as one value that is no host. Node itself would keep the first and hide the second. */
function readHost(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length !== 4 || name.toLowerCase() !== "host") continue;
    const value = rawHeaders[index + 1] ?? "";
    host = host === undefined ? value : `${host}, ${value}`;
  }
  return host;
}

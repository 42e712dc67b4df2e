import type { PipeTransport } from "@mortise/core";
import type { CommandOptions } from "../options.js";

/** Header names and values in turn: `[name, value, name, value, …]`. Cheaper to send than an object. */
export type HeaderList = readonly string[];

/** One HTTP request, already complete. */
export interface HttpRequest {
  readonly method: "POST" | "GET" | "DELETE";
  readonly url: URL;
  readonly headers: HeaderList;
  readonly body?: string | undefined;
}

/** The beginning of an answer. */
export interface HttpHead {
  readonly status: number;
  /** Looks a header up by its lower-case name. */
  header(name: string): string | undefined;
  /** The address that answered, when the layer below followed redirects by itself. */
  readonly finalUrl?: string | undefined;
}

/** What a layer tells the one who sent a request: a head, then data, then one of `onEnd` and `onFailure`. */
export interface HttpReceiver {
  onHead(head: HttpHead): void;
  onData(chunk: Uint8Array): void;
  onEnd(): void;
  /** The connection failed, before or after the head. Nothing follows. */
  onFailure(error: Error): void;
  /** `true` while something else than the server is waited for, such as a login; then `false`. */
  onHold?(held: boolean): void;
}

/** A request that was sent. */
export interface HttpSending {
  /** Closes the exchange; the receiver hears nothing more. Does nothing when it is over. */
  drop(): void;
}

/** Sends HTTP requests, without following redirects. */
export interface HttpLayer {
  send(request: HttpRequest, receiver: HttpReceiver): HttpSending;
  /** Closes idle connections. */
  close(): void;
}

/** What differs between Node and everything else. */
export interface Platform {
  /** Opens the layer that HTTP requests use. */
  createHttpLayer(): HttpLayer;
  /** Opens the layer that they use with a `fetch` that was given. */
  createFetchLayer(given: typeof globalThis.fetch): HttpLayer | Promise<HttpLayer>;
  /** Prepares a server process. Rejects with `needs_node` where there are none. */
  createProcess(command: CommandOptions): Promise<PipeTransport>;
  /** Decodes a whole UTF-8 body; `undefined` when it is not UTF-8. */
  decode(chunks: readonly Uint8Array[]): string | undefined;
  /** Says what an error code of the operating system means, if that is known. Browsers tell none. */
  explain?(code: string): string | undefined;
  /** Writes one line of debug output. */
  log(line: string): void;
}

import { legacy, modern, opening, PLAIN_HEADERS } from "../http/fixture.js";
import type { StreamMessage } from "../http/open-stream.js";

/** One event of a stream. */
export interface StreamEvent {
  readonly id: string | undefined;
  /** Nothing for an event that tells only its id, or how soon to come back. */
  readonly message: StreamMessage | undefined;
}

/** The answer to one request, read while it comes. */
export class Reading {
  readonly status: number;
  readonly headers: Headers;
  /** The id of the last event that had one. */
  last = "";
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #isStream: boolean;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor({ status, headers, body }: Response) {
    this.status = status;
    this.headers = headers;
    this.#isStream = headers.get("content-type") === "text/event-stream";
    this.#reader = body?.getReader();
  }

  /** The next message, or `undefined` at the end. */
  async next(): Promise<StreamMessage | undefined> {
    for (;;) {
      const event = await this.nextEvent();
      if (event === undefined || event.message !== undefined) return event?.message;
    }
  }

  /** The next event, or `undefined` at the end. */
  async nextEvent(): Promise<StreamEvent | undefined> {
    for (;;) {
      const end = this.#isStream ? this.#text.indexOf("\n\n") : -1;
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        if (!block.startsWith(":")) return this.#readEvent(block);
        continue;
      }
      const { done, value } = (await this.#reader?.read()) ?? { done: true };
      if (done) return this.#readWhole();
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** The last message of all that is still to come. */
  async answer(): Promise<StreamMessage | undefined> {
    let last: StreamMessage | undefined;
    for (let message = await this.next(); message !== undefined; message = await this.next()) last = message;
    return last;
  }

  /** Goes away without waiting for the end. */
  async leave(): Promise<void> {
    await this.#reader?.cancel();
  }

  #readEvent(block: string): StreamEvent {
    const [, id] = /^id: (.*)$/m.exec(block) ?? [];
    const [, data = ""] = /^data: (.*)$/m.exec(block) ?? [];
    this.last = id ?? this.last;
    return { id, message: data === "" ? undefined : JSON.parse(data) };
  }

  #readWhole(): StreamEvent | undefined {
    const text = this.#text;
    this.#text = "";
    return text === "" || this.#isStream ? undefined : { id: undefined, message: JSON.parse(text) };
  }
}

const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };
const ABLE = { "io.modelcontextprotocol/clientCapabilities": CAPABILITIES };
let lastId = 0;

/** Sends a modern request of a client that can be asked everything. */
export async function send(url: string, method: string, params: Record<string, unknown> = {}): Promise<Reading> {
  lastId += 1;
  const uri = typeof params.uri === "string" ? { "mcp-name": params.uri } : {};
  const name = typeof params.name === "string" ? { "mcp-name": params.name } : uri;
  const { headers, body } = modern(method, params, { id: lastId, meta: ABLE, headers: name });
  return new Reading(await fetch(url, { method: "POST", headers, body }));
}

/** A legacy client in a session. */
export class LegacyProbe {
  readonly #url: string;
  readonly #version: string;
  session = "";

  constructor(url: string, version: string) {
    this.#url = url;
    this.#version = version;
  }

  /** Opens the session. */
  async open(): Promise<void> {
    const params = { ...opening(this.#version), capabilities: CAPABILITIES };
    const { body } = legacy("initialize", params);
    const response = await fetch(this.#url, { method: "POST", headers: PLAIN_HEADERS, body });
    await response.text();
    this.session = response.headers.get("mcp-session-id") ?? "";
    await this.post({ method: "notifications/initialized" });
  }

  /** Sends a request. */
  request(method: string, params: Record<string, unknown> = {}, id: number | string = 1): Promise<Reading> {
    return this.#post({ id, method, params });
  }

  /** Calls a tool. */
  call(name: string, id: number | string = 1, signal?: AbortSignal): Promise<Reading> {
    return this.#post({ id, method: "tools/call", params: { name, arguments: {} } }, signal);
  }

  /** Sends a notification or an answer. Gives the status. */
  async post(message: object): Promise<number> {
    const reading = await this.#post(message);
    await reading.answer();
    return reading.status;
  }

  /** Opens a stream, or goes on with one behind an event. */
  async listen(last?: string): Promise<Reading> {
    const more: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
    const headers = { ...this.#headers, ...more, accept: "text/event-stream" };
    return new Reading(await fetch(this.#url, { headers }));
  }

  /** Ends the session. Gives the status. */
  async end(): Promise<number> {
    const response = await fetch(this.#url, { method: "DELETE", headers: this.#headers });
    await response.text();
    return response.status;
  }

  async #post(message: object, signal: AbortSignal | null = null): Promise<Reading> {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message });
    return new Reading(await fetch(this.#url, { method: "POST", headers: this.#headers, body, signal }));
  }

  get #headers(): Record<string, string> {
    return { ...PLAIN_HEADERS, "mcp-session-id": this.session, "mcp-protocol-version": this.#version };
  }
}

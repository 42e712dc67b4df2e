import { createHttpHandler, type HandlerOptions, type HttpHandler } from "@mortise/http";
import type { MCPServer } from "@mortise/server";

/** What a test reads of a message. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever comes
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** How one message is sent. */
export interface Sending {
  readonly session?: string | undefined;
  readonly version?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export const INITIALIZE = {
  protocolVersion: "2025-06-18",
  capabilities: { elicitation: {}, sampling: {}, roots: {} },
  clientInfo: { name: "probe", version: "1" },
};

/** Builds a handler with legacy options. */
export function mount(server: MCPServer, legacy: HandlerOptions["legacy"], rest: HandlerOptions = {}): HttpHandler {
  return createHttpHandler(server, { ...rest, legacy });
}

/** Sends one HTTP request. `message` left out sends none. */
export function send(
  handler: HttpHandler,
  message?: unknown,
  { session, version, headers = {}, signal, method = "POST" }: Sending & { readonly method?: string } = {},
): Promise<Response> {
  const request = new Request("http://localhost/mcp", {
    method,
    headers: {
      accept: "application/json, text/event-stream",
      ...(message === undefined ? {} : { "content-type": "application/json" }),
      ...(session === undefined ? {} : { "mcp-session-id": session }),
      ...(version === undefined ? {} : { "mcp-protocol-version": version }),
      ...headers,
    },
    ...(message === undefined ? {} : { body: JSON.stringify(message) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return handler(request);
}

/** A request with params. */
export function ask(method: string, params: object = {}, id: string | number = 1): object {
  return { jsonrpc: "2.0", id, method, params };
}

/** A request that runs a tool. */
export function call(name: string, args: object = {}, id: string | number = 1): object {
  return ask("tools/call", { name, arguments: args }, id);
}

/** Opens a session and gives its id. */
export async function open(
  handler: HttpHandler,
  params: Partial<typeof INITIALIZE> = {},
  sending: Sending = {},
): Promise<string> {
  const response = await send(handler, ask("initialize", { ...INITIALIZE, ...params }), sending);
  await response.text();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error(`Expected a session, received status ${response.status}`);
  return session;
}

/** Reads the one message of an answer. */
export async function read(response: Response): Promise<Message> {
  return JSON.parse(await response.text()) as Message;
}

/** The messages of an event stream, one after the other. */
export class Events {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #text = "";

  constructor(response: Response) {
    if (response.body === null) throw new Error("Expected a body");
    this.#reader = response.body.getReader();
  }

  /** The next message, or `undefined` at the end of the stream. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const event = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        const data = /^data: ?(.+)$/m.exec(event)?.[1];
        if (data !== undefined) return JSON.parse(data) as Message;
        continue;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#text += this.#decoder.decode(value, { stream: true });
    }
  }

  /** Leaves before the stream ends. */
  leave(): Promise<void> {
    return this.#reader.cancel();
  }
}

/** A promise that a test settles itself. */
export interface Later<Value> {
  readonly promise: Promise<Value>;
  resolve(value: Value): void;
}

/** Makes such a promise. */
export function later<Value = void>(): Later<Value> {
  let resolve: (value: Value) => void = () => undefined;
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

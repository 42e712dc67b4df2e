import type { Implementation, JsonObject, JsonRpcNotification, PipeTransport } from "@mortise/core";
import type { SpawnServerOptions } from "@mortise/stdio/client";
import type { Authorizer } from "./authorizer.js";
import type { CacheMode, CacheOptions, ResponseCache } from "./cache/cache-options.js";
import type { ReadTrace } from "./calls/trace.js";
import type { HeaderInput } from "./header-list.js";
import type { QuestionHandlers } from "./question.js";
import type { Tool } from "./tool-list.js";

/** Which era a client speaks: what the server shows, always one of them, or exactly one revision. */
export type EraChoice = "auto" | "legacy" | "modern" | { readonly pin: string };

/** What a client found out about a server: pass it as `prior` to a later client for the same server to skip guessing. */
export interface EraVerdict {
  readonly era: "modern" | "legacy";
  readonly protocolVersion: string;
  /** Set when the server speaks the HTTP+SSE transport of 2024-11-05. */
  readonly transport?: "sse" | undefined;
  /** Whether the server only let the headers of the oldest web clients pass, which happens in browsers. */
  readonly minimalHeaders: boolean;
}

/** What every client can be told, however it reaches its server. */
export interface CommonOptions extends QuestionHandlers {
  /** Who this client says it is. @default `mortise` and the version of this package */
  readonly clientInfo?: Implementation | undefined;
  /**
   * What this client can do for the server, besides what its handlers declare. A member stands in place of what would be
   * declared: `{ elicitation: { form: {} } }` for an `onElicit` that shows forms only, `{ sampling: {} }` for an `onSample`
   * without tools. @default {}
   */
  readonly capabilities?: JsonObject | undefined;
  /** How often one request is sent again with answers to what the server asked, at most. @default 8 */
  readonly maxInputRounds?: number | undefined;
  /** How long a request may take, in milliseconds. `0`, `Infinity` and 2^31 or more mean no limit. @default 60_000 */
  readonly timeout?: number | undefined;
  /**
   * How long a silent server on a pipe is given to answer the first question before it is taken for legacy, and one over HTTP
   * that may have the transport of 2024-11-05 to open its stream, in milliseconds. @default 5_000
   */
  readonly probeTimeout?: number | undefined;
  /** Which era to speak. @default "auto" */
  readonly era?: EraChoice | undefined;
  /** What an earlier client found out about this server, from `client.verdict`. @default nothing known */
  readonly prior?: EraVerdict | undefined;
  /**
   * Keeps lists and what is read of resources for as long as the server says, so that they need not be asked for again: in memory of
   * this client, in a cache that clients share, or not at all. @default in memory, up to 1_000 responses and 16 MiB
   */
  readonly cache?: false | ResponseCache | CacheOptions | undefined;
  /**
   * How often a request that changes nothing, such as a list, is sent again at most when it did not get through, or the server is
   * busy (HTTP 408, 429, 502, 503, 504). `Retry-After` is obeyed up to 30 seconds. Connecting is repeated as often, over HTTP. @default 0
   */
  readonly retries?: number | undefined;
  /** Tells which trace a request belongs to: it goes into the request's `_meta`. Called for each that is sent. @default none */
  readonly trace?: ReadTrace | undefined;
  /** Writes a line per message to stderr: methods, ids and times, never contents, headers or addresses with a query. @default false */
  readonly debug?: boolean | undefined;
  /** Largest single message accepted from the server, in bytes. @default 67_108_864 */
  readonly maxMessageBytes?: number | undefined;
  /** Receives what went wrong without failing a call: an unusable tool, an answer nobody waits for. @default silent */
  readonly onError?: ((problem: Error) => void) | undefined;
  /** Receives every notification of the server but progress. @default ignored */
  readonly onNotification?: ((notification: JsonRpcNotification) => void) | undefined;
  /**
   * How the structured content of a result is checked against the tool's output schema: by a function, whose exception rejects the
   * call, or not at all. @default a check of the package's own, loaded with the first such result; rejects with `invalid_output`
   */
  readonly validateOutput?: false | ((tool: Tool, value: unknown) => void | Promise<void>) | undefined;
}

/** A server reached over HTTP. */
export interface HttpOptions extends CommonOptions {
  /** Address of the MCP endpoint, `http:` or `https:`. */
  readonly url: string | URL;
  /** Headers sent with every request to the endpoint. Headers that the protocol writes cannot be replaced. @default none */
  readonly headers?: HeaderInput | undefined;
  /** Gets the credentials that requests to a protected server need, such as those of `@mortise/client/oauth`. @default none */
  readonly auth?: Authorizer | undefined;
  /** The `fetch` to use. @default kept-alive connections on Node, the global `fetch` elsewhere */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Which HTTP transport the server has: Streamable HTTP, or HTTP+SSE of 2024-11-05. With "auto" a server that refuses the
   * first for its method or address is asked for the second. @default "auto"
   */
  readonly transport?: "auto" | "streamable-http" | "sse" | undefined;
  /**
   * Keep a stream open on which a legacy server can say what belongs to no request: notifications, and questions. A server
   * without such a stream is used without. @default true with `onNotification` or a handler of questions, else false
   */
  readonly listen?: boolean | undefined;
  /** Send only the headers that the oldest web servers let pass, which also means legacy. @default found out in browsers, false elsewhere */
  readonly minimalHeaders?: boolean | undefined;
}

/** How to start a server process, and what it may do. */
export type CommandOptions = SpawnServerOptions;

/** A server started as a child process. Needs Node. */
export interface ProcessOptions extends CommonOptions, Omit<CommandOptions, "maxMessageBytes"> {
  /**
   * Start the server again after it ended: with the next call, and for a subscription right away. Calls that were on its way
   * reject in any case. Without it, all calls reject with what ended the server until `connect()`. @default false
   */
  readonly restart?: boolean | undefined;
}

/** A server behind a pipe that the caller made, such as `connectInMemory(server)`. */
export interface PipeOptions extends CommonOptions {
  readonly transport: PipeTransport;
}

/** How a client reaches its server, and how it behaves. */
export type ClientOptions = HttpOptions | ProcessOptions | PipeOptions;

/** What a single request can be told. */
export interface RequestOptions {
  /** How long this request may take, in milliseconds; the same special values as for the client. @default the client's `timeout` */
  readonly timeout?: number | undefined;
  /** Start the timeout anew whenever the server reports progress on this request. @default false */
  readonly resetTimeoutOnProgress?: boolean | undefined;
  /** How long this request may take in all, whatever progress comes, in milliseconds. @default 3_600_000 when progress resets the timeout, else none */
  readonly maxTotalTimeout?: number | undefined;
  /** Gives the request up: it rejects with `aborted`, and the server is told. */
  readonly signal?: AbortSignal | undefined;
  /** Members for the request's `_meta`, such as a log level or trace context. The protocol's own members win. @default none */
  readonly meta?: JsonObject | undefined;
  /** How this request uses the cache. `fetchTools()` always asks anew. @default "default" */
  readonly cache?: CacheMode | undefined;
  /**
   * How often this request is sent again at most when it did not get through. A tool may then run twice. @default the client's
   * `retries` for requests that change nothing, 0 for others
   */
  readonly retries?: number | undefined;
  /** Receives progress on this request. What it throws goes to `onError`. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** How far the server is. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

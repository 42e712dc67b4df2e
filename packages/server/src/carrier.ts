import type { Implementation, JsonObject, LogLevel, Revision } from "@mortise/core";
import type { Call } from "./call.js";

/** What a legacy client and this server agreed on when the client opened. */
export interface Agreement {
  readonly revision: Revision;
  readonly clientInfo: Implementation | undefined;
  readonly capabilities: JsonObject;
  /** The least severe log message the client asked for since. */
  readonly logLevel?: LogLevel | undefined;
}

/** What carried one message in, and where its notices go: everything a transport tells of a request. */
export interface Carrier {
  /** Which transport: "http", "stdio", "memory", or a name of the transport's own. */
  readonly transport: string;
  /** The protocol versions spoken here, the preferred first, where they are fewer than the server speaks. */
  readonly versions?: readonly string[] | undefined;
  /** Looks up a header by its lower-case name. Left out where the transport has no headers. */
  readonly header?: ((name: string) => string | undefined) | undefined;
  /** Who the caller is, as an authorization check found. Lists of such callers are never shared. */
  readonly principal?: string | undefined;
  /** What the authorization check found, for handlers. */
  readonly auth?: unknown;
  /** Whatever the embedding program wants handlers to have. */
  readonly context?: unknown;
  /** The legacy session this request belongs to. */
  readonly sessionId?: string | undefined;
  /** What was agreed when the legacy client opened, where that is remembered. */
  readonly agreement?: Agreement | undefined;
  /** Remembers what a legacy client and this server agreed on. */
  agree?(agreement: Agreement): void;
  /**
   * Sends one notice to the caller: a JSON-RPC notification as JSON text, without a newline. Returns a promise while the
   * writer is behind. Left out where notices cannot be delivered; they are dropped then.
   */
  send?(notice: string): void | Promise<void>;
  /** Sends a notice that must not be dropped: whoever sends such waits for the promise before the next. @default `send` */
  announce?(notice: string): void | Promise<void>;
  /**
   * Closes the connection that the answer would come on, without ending the call: the client comes back for the rest, after
   * `retry` milliseconds. Left out where an answer cannot be fetched later.
   */
  closeStream?(retry: number): void;
  /** Whether notices can reach this caller outside the answers to its other requests, so that changes can be announced. */
  readonly announces?: boolean | undefined;
  /**
   * Puts a request to a legacy caller. Resolves with the result; rejects with a `JsonRpcError` for an error answer, or with
   * the signal's reason. Left out where no question can be put.
   */
  request?(method: string, params: JsonObject, asking: Asking): Promise<unknown>;
  /** The single resources that a legacy caller watches. Left out where updates cannot be delivered. */
  readonly watched?: WatchedResources | undefined;
}

/** On whose behalf a question is put, and until when. */
export interface Asking {
  readonly call: Call;
  readonly signal: AbortSignal;
}

/** The single resources that one legacy caller wants to hear of. */
export interface WatchedResources {
  add(uri: string): void | Promise<void>;
  delete(uri: string): void | Promise<void>;
}

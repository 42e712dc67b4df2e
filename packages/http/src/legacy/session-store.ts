import type { Implementation, JsonObject, LogLevel } from "@mortise/core";

/** What is remembered about a legacy session. Plain JSON; it is replaced, never changed. */
export interface SessionRecord {
  readonly id: string;
  /** Who opened it, where callers are checked. */
  readonly principal?: string | undefined;
  /** The protocol version that was agreed on. */
  readonly revision: string;
  readonly clientInfo?: Implementation | undefined;
  /** What the client declared that it can be asked; nothing else of its capabilities. */
  readonly capabilities: JsonObject;
  /** The least severe log message that the client asked for. */
  readonly logLevel?: LogLevel | undefined;
  /** What the names of its streams begin with, where they are resumable. A secret, like the id. */
  readonly streams?: string | undefined;
  /** The single resources that the client watches. */
  readonly watched: readonly string[];
}

/**
 * Remembers legacy sessions. One that several processes share, together with a bus, lets each request of a session reach another
 * of them. What it throws or rejects with goes to `onError`, and the request is answered with 500.
 */
export interface SessionStore {
  /** Gives a session that was set and has neither ended nor been idle for too long. Does not count as use. */
  get(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  /** Remembers a session, in place of what was remembered before, for so many milliseconds from now on. */
  set(id: string, record: SessionRecord, ttlMs: number): void | Promise<void>;
  /** Forgets a session. Tells whether there was one. */
  delete(id: string): boolean | Promise<boolean>;
  /**
   * Remembers a session, if there is one, for so many milliseconds from now on. Called for every request. Without it, `get` and `set`
   * are, which could bring back a session that another process deletes at the same moment. @default `set` with what `get` gives
   */
  touch?(id: string, ttlMs: number): void | Promise<void>;
}

import type { MCPServer } from "./server.js";

/** A way for clients to reach a server, as `server.listen()` takes it. */
export interface ServerTransport<Info = unknown> {
  /** Begins to serve. Rejects when it cannot. */
  start(server: MCPServer): Promise<Attachment<Info>>;
}

/** A transport that serves. */
export interface Attachment<Info = unknown> {
  /** What the one who listens wants to know, such as the address. */
  readonly info: Info;
  /** Resolves when the transport has ended, by itself or by `close`. */
  readonly closed: Promise<void>;
  /** Ends it: owed answers get `drain` ms, then they are aborted. */
  close(options: { readonly drain: number }): Promise<void>;
}

import type { HandlerOptions } from "@mortise/http";
import type { MCPServer } from "@mortise/server";
import type { RevisionId } from "./scene.js";

/** A message, read loosely. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into messages without describing them
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly result?: any;
  // biome-ignore lint/suspicious/noExplicitAny: likewise
  readonly error?: any;
}

/** Who hears what comes from a server. */
export interface Hearing {
  message(message: Message): void;
  /** Nothing more comes for a request. Pipes never say so. */
  over(id: unknown): void;
}

/** A line to a server. It writes messages as they are, and knows of them only what its transport wants to have in headers. */
export interface Line {
  /** Sends one message, or an array. Resolves with the HTTP status, where there is one. */
  send(message: unknown, headers?: Readonly<Record<string, string>>): Promise<number | undefined>;
  /** Opens a stream for what comes outside answers, where one has to be opened. Resolves with the HTTP status. */
  listen?(): Promise<number>;
  /** Fetches what came after the last event that had an id, on a connection of its own. Resolves with the HTTP status. */
  resume?(): Promise<number>;
  /** How often it had to fetch the rest of an answer on another connection. */
  readonly resumptions?: number;
  /** Goes away from a request. Left out where requests share a line. */
  leave?(id: unknown): void;
  /** Says that the client is done, where there is a way to. Resolves with the HTTP status. */
  end?(): Promise<number>;
  close(): Promise<void>;
}

/** What a line is opened for. */
export interface LineOptions {
  readonly server: MCPServer;
  readonly revision: RevisionId;
  readonly hearing: Hearing;
  readonly handler: HandlerOptions;
}

/** Opens a line. */
export type OpenLine = (options: LineOptions) => Promise<Line>;

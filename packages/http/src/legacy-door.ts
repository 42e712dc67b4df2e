import type { MCPServer } from "@mortise/server";
import type { Answer } from "./answer.js";
import type { EdgeReply } from "./edge-reply.js";
import type { EventSink } from "./event-sink.js";
import type { Exchange } from "./exchange.js";
import type { KeepAlive } from "./keep-alive.js";
import type { LegacySettings } from "./legacy-options.js";
import type { Policy } from "./policy.js";
import type { Route, Visit } from "./visit.js";

/** Where requests of legacy clients are brought that are remembered. What is behind it is loaded with the first of them. */
export interface LegacyDoor {
  /** The HTTP methods that are served besides POST. */
  readonly methods: readonly string[];
  /** Serves a request whose HTTP method carries no message: gives the answer, or status 0 where it has taken it over. */
  serve(visit: Visit): EdgeReply | Promise<EdgeReply>;
  /** Finds what is remembered about the sender of a message, and sets who attends to it; or says why it is turned away. Left out where nothing is remembered. */
  admit?(visit: Visit): EdgeReply | undefined | Promise<EdgeReply | undefined>;
  /** The HTTP+SSE transport, where it is served. */
  readonly sse: SseDoor | undefined;
}

/** The two ends of the HTTP+SSE transport. What is behind them is loaded with the first request for one. */
export interface SseDoor {
  /** Whether a request for this path may be for one of them. */
  owns(path: string): boolean;
  /** Tells which of them a request is for. Nothing where it is for neither. */
  route(exchange: Exchange): Exclude<Route, "endpoint"> | undefined;
  /** Opens a stream: gives the answer, or status 0 where it has taken the request over. */
  open(visit: Visit): EdgeReply | Promise<EdgeReply>;
  /** Takes a message. */
  receive(visit: Visit): EdgeReply | Promise<EdgeReply>;
}

/** What a handler lends to what is behind the door. */
export interface LegacyParts {
  readonly server: MCPServer;
  readonly settings: LegacySettings;
  readonly policy: () => Policy;
  /** Keeps event streams open. */
  readonly keepAlive: () => KeepAlive;
  /** Builds what calls back at another interval, in milliseconds. */
  readonly createBeat: (interval: number) => KeepAlive;
  /** Begins the answer to a POST. */
  readonly createAnswer: (visit: Visit) => Answer;
  /** Begins an event stream. */
  readonly createSink: (visit: Visit) => EventSink;
  /** Answers with a status, or an error. */
  readonly turnAway: (visit: Visit, reply: EdgeReply) => void;
}

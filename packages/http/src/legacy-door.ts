import type { MCPServer } from "@mortise/server";
import type { Answer } from "./answer.js";
import type { EdgeReply } from "./edge-reply.js";
import type { EventSink } from "./event-sink.js";
import type { KeepAlive } from "./keep-alive.js";
import type { LegacySettings } from "./legacy-options.js";
import type { Policy } from "./policy.js";
import type { Visit } from "./visit.js";

/** Where requests of legacy clients are brought that are remembered. What is behind it is loaded with the first of them. */
export interface LegacyDoor {
  /** The HTTP methods that are served besides POST. */
  readonly methods: readonly string[];
  /** Serves a request whose HTTP method carries no message: gives the answer, or status 0 where it has taken it over. */
  serve(visit: Visit): EdgeReply | Promise<EdgeReply>;
  /** Finds what is remembered about the sender of a message, and sets who attends to it; or says why it is turned away. */
  admit(visit: Visit): EdgeReply | undefined | Promise<EdgeReply | undefined>;
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

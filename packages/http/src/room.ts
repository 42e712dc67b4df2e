import type { JsonRpcRequest, Selection } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import type { Call, Carrier, Sealed } from "@mortise/server/transport";
import type { EdgeReply } from "./edge-reply.js";
import type { Policy } from "./policy.js";
import type { Visit } from "./visit.js";

/** One request that got through the gate, with everything needed to open it. */
export interface Opening {
  readonly server: MCPServer;
  readonly request: JsonRpcRequest;
  readonly carrier: Carrier;
  readonly selection: Selection | undefined;
}

/** Serves the messages of one visit in a room's place: somebody who remembers their sender. */
export interface Attendant {
  serve(visit: Visit): void;
}

/** What differs between the eras over HTTP, and nothing else. */
export interface Room {
  /**
   * Finds out what is remembered about the sender, and who attends to it; or why it is turned away. Left out where every request
   * stands alone.
   */
  admit?(visit: Visit, policy: Policy): EdgeReply | undefined | Promise<EdgeReply | undefined>;
  /** Opens a request: the call to run, or the answer that turns it away. */
  open(opening: Opening): Call | Sealed;
  /** Whether what a message is written in is spoken here. Requests are judged when they are opened; this is for the rest. */
  isServed(policy: Policy, selection: Selection): boolean;
  /** Whether changes can be announced in an answer: whether any may be an event stream that lasts. */
  announces(policy: Policy): boolean;
  /** Whether a call ends when its caller leaves. */
  abortsOnDisconnect(policy: Policy): boolean;
  /** Looks at a notification. Nothing means that it is accepted. */
  checkNotification(policy: Policy): EdgeReply | undefined;
  /** Looks at a response to a question of this server's. Nothing means that it is accepted. */
  checkResponse(): EdgeReply | undefined;
  /** Reads several messages that came as one array. Left out where arrays never get here. */
  readBatch?(entries: readonly unknown[]): readonly JsonRpcRequest[] | EdgeReply;
}

import type { Implementation, JsonObject, JsonRpcNotification, LogLevel, RequestId, Revision } from "@mortise/core";
import type { Deadline } from "./deadline.js";
import type { ClientExtension } from "./extension.js";
import type { Answer, Flight, SendOptions } from "./link.js";
import type { HeaderList } from "./platform/platform.js";
import type { QuestionHandlers } from "./question.js";
import type { SubscriptionFilter } from "./subscription.js";

/** What the server said of itself when the client connected. */
export interface ConnectResult {
  /** The revision that both speak. */
  readonly protocolVersion: string;
  /** Name and version of the server, when it told. */
  readonly serverInfo: Implementation | undefined;
  readonly capabilities: JsonObject;
  /** How the server's authors want it to be used, for a model to read. */
  readonly instructions: string | undefined;
  readonly era: "modern" | "legacy";
}

/** Who this client says it is. */
export interface Identity {
  readonly clientInfo: Implementation;
  /** Whether it answers anything that a server asks. */
  readonly answers: boolean;
  /** Loads what the next two need, if anything; to be awaited before a session is opened. */
  prepare(): Promise<void>;
  /** What it declares to a server of one revision. */
  describe(revision: Revision): JsonObject;
  /** Which member of its params a request of an extension mirrors into a header. */
  findMirrored(method: string): string | undefined;
  /** Who answers what the server asks. */
  readonly handlers: QuestionHandlers;
  /** What adds to the protocol, by its name. */
  readonly extensions: ReadonlyMap<string, ClientExtension>;
  /** How often one request is sent again with answers at most. */
  readonly maxInputRounds: number;
}

/** What a request needs from the one who waits for it. */
export interface RequestControl {
  /** Receives progress; present only when progress was asked for. */
  readonly onProgress?: SendOptions["onProgress"];
  /** Headers that mirror arguments, where the era mirrors them. */
  readonly mirror?: HeaderList | undefined;
  /** Hears that the first answer was not the result: what comes in the end depends on more than the request. */
  readonly onAsked?: (() => void) | undefined;
  /** Tells which flight carries the request now, so that it can be given up. */
  track(flight: Flight, id: RequestId): void;
  /** Waits for what has to be done besides, once the server has answered. Rejects as soon as the request is given up. */
  orStopped<T>(begin: () => Promise<T>): Promise<T>;
  /** Holds the timeout while the server waits for an answer of this side. Every call needs one of `resume`. */
  pause(): void;
  resume(): void;
  /** Gives the request up: it rejects with the error. */
  stop(error: Error): void;
}

/** A request that is to be sent. */
export interface PendingRequest {
  readonly method: string;
  readonly params?: JsonObject | undefined;
}

/** What somebody wants to hear of, and how they are told. */
export interface Watching {
  readonly filter: SubscriptionFilter;
  /** Aborts when nobody waits for the confirmation any more; what was begun is taken back. */
  readonly signal: AbortSignal;
  /** Starts the time limit of a confirmation that is no answer to a request. */
  startDeadline(onExpire: (error: Error) => void): Deadline | undefined;
  /** Sends a request within the same limit. */
  request(request: PendingRequest): Promise<JsonObject>;
  /** Receives what may be about a change. */
  onNotification(notification: JsonRpcNotification): void;
  /** Changes are not heard of until `onRestored`; the session sees to that. */
  onLost(reason: Error): void;
  onRestored(): void;
  /** Nothing more comes. An error says what broke, and none that the server ended it on purpose. */
  onEnd(error: Error | undefined): void;
}

/** Changes that are heard of. */
export interface Watch {
  readonly honored: SubscriptionFilter;
  /** Hears no more, and tells the server. Never rejects; `onEnd` is not called. */
  close(): Promise<void>;
}

/** An agreed connection to one server: what must differ between the eras, and nothing else. */
export interface Session {
  readonly revision: Revision;
  readonly server: ConnectResult;
  /** Whether tool arguments are mirrored into headers, so that tools with broken annotations must be left out. */
  readonly mirrorsParams: boolean;
  /** Whether results say how long they stay fresh. */
  readonly tellsFreshness: boolean;
  /** The method that asks whether the server is there. */
  readonly pingMethod: string;
  readonly link: { readonly closedBy: Error | undefined };
  /** Sends one request and gives its result; rejects with `JsonRpcError` when the server answers with an error. */
  request(method: string, params: JsonObject | undefined, control: RequestControl): Promise<JsonObject>;
  /** What has to be asked of the server for log messages from a level up; `undefined` where each request says it by itself. */
  setLogLevel(level: LogLevel): PendingRequest | undefined;
  /** Tells the server that other folders are worked on, where a notice is how that is told. */
  notifyRootsChanged(): Promise<void>;
  /**
   * Hears of changes. Resolves once the server has confirmed it, and rejects as a request does, with `not_offered` when it has
   * nothing of what is asked for.
   */
  watch(watching: Watching): Promise<Watch>;
  /** Tells the server that nobody waits for a request any more, where a message is how that is told. */
  cancel(id: RequestId, reason: string): void;
  /** Ends the session and the link below. */
  close(reason: Error): Promise<void>;
}

/** What the answer to `server/discover` shows. */
export type Evidence =
  | {
      readonly kind: "modern";
      readonly supported: readonly string[];
      readonly answer: Answer;
      readonly result: JsonObject;
    }
  /** Modern, but not the version that was asked for. */
  | { readonly kind: "versions"; readonly supported: readonly string[]; readonly answer: Answer }
  /** `refused`: modern, and it refused the question. `none`: the answer comes from something in between, or the server is not well. */
  | { readonly kind: "refused" | "legacy" | "none"; readonly answer: Answer };

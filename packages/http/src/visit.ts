import type { MessageKind, Selection } from "@mortise/core";
import { ACCEPTS_ALL, type Acceptance } from "./accept-rule.js";
import { NO_HEADERS } from "./edge-reply.js";
import type { Exchange, HeaderList } from "./exchange.js";
import type { Attendant } from "./room.js";

/** What a path stands for: the endpoint, or one of the two ends of the HTTP+SSE transport. */
export type Route = "endpoint" | "sse stream" | "sse messages";

/** One request on its way through the gate, and what the gate has found out about it. */
export interface Visit {
  readonly exchange: Exchange;
  /** What it is for, by its path. Set by the first step. */
  route: Route;
  /** Headers that every answer to it carries. */
  headers: HeaderList;
  acceptance: Acceptance;
  principal: string | undefined;
  auth: unknown;
  /** The body as text, until it is decoded. */
  text: string;
  /** The decoded body. */
  message: unknown;
  kind: MessageKind;
  /** Which room it goes to. Set by the last step. */
  selection: Selection | undefined;
  /** Who serves it in the room's place. Set where a legacy client is remembered between its requests. */
  attendant: Attendant | undefined;
}

/** Begins a visit. */
export function createVisit(exchange: Exchange): Visit {
  return {
    exchange,
    route: "endpoint",
    headers: NO_HEADERS,
    acceptance: ACCEPTS_ALL,
    principal: undefined,
    auth: exchange.auth,
    text: "",
    message: undefined,
    kind: "invalid",
    selection: undefined,
    attendant: undefined,
  };
}

import { describeType, isObject, isThenable, type JsonRpcRequest, MortiseError, readableId } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import { type Call, listParamHeaders, listServedVersions, run, type Sealed } from "@mortise/server/transport";
import { Answer } from "./answer.js";
import { sendEdgeReply } from "./edge-answer.js";
import { type EdgeReply, failInternally, refuse } from "./edge-reply.js";
import { createLegacyDoor, ROOMS } from "./eras.js";
import { EventSink } from "./event-sink.js";
import type { Exchange } from "./exchange.js";
import { GATE } from "./gate.js";
import type { HandlerOptions } from "./handler-options.js";
import type { KeepAlive } from "./keep-alive.js";
import { createPolicy, type Policy } from "./policy.js";
import type { Room } from "./room.js";
import { createVisit, type Visit } from "./visit.js";

/** What an adapter hands its exchanges to. */
export interface ExchangeHandler {
  /** Whether the endpoint is at a path, given without its query. */
  matches(path: string): boolean;
  /** Answers one exchange. Never throws; every failure becomes an answer. */
  handle(exchange: Exchange): void;
}

/** What an adapter says about its runtime. */
export interface RuntimeOptions {
  /** Builds what keeps event streams open, for an interval in milliseconds. */
  readonly keepAlive: (interval: number) => KeepAlive;
}

/** What serving a request takes, besides the request. One for each handler. */
interface Endpoint {
  readonly server: MCPServer;
  readonly policy: Policy;
  readonly keepAlive: KeepAlive;
}

const ACCEPTED: EdgeReply = Object.freeze({ status: 202 });
const NEEDS_EVENTS = refuse(
  406,
  "Expected the Accept header to list text/event-stream: this answer is a stream of notices",
);
const NOT_SERVED = refuse(400, "Expected a protocol version that this server speaks");

/** Builds the one implementation of Streamable HTTP that every adapter stands on. Throws `invalid_options`. */
export function createExchangeHandler(
  server: MCPServer,
  options: HandlerOptions | undefined,
  runtime: RuntimeOptions,
): ExchangeHandler {
  if (!isObject((server as { inside?: unknown } | undefined)?.inside))
    throw new MortiseError("invalid_options", `Expected an MCPServer, received ${describeType(server)}`);
  const policy: Policy = createPolicy(options, {
    versions: listServedVersions(server),
    listParamHeaders: () => listParamHeaders(server),
    openLegacyDoor: (settings) =>
      createLegacyDoor({
        server,
        settings,
        policy: () => policy,
        keepAlive: () => endpoint.keepAlive,
        createBeat: runtime.keepAlive,
        createAnswer: (visit) => new Answer(visit, policy),
        createSink: ({ exchange, headers }) => new EventSink(exchange, headers),
        turnAway,
      }),
  });
  const endpoint: Endpoint = { server, policy, keepAlive: runtime.keepAlive(policy.keepAlive) };
  return {
    matches: (path) => policy.path === "*" || path === policy.path || policy.legacy?.sse?.owns(path) === true,
    handle: (exchange) => pass(endpoint, createVisit(exchange), 0),
  };
}

/** Takes a visit through the gate from one step on, and dispatches it behind the last. */
function pass(endpoint: Endpoint, visit: Visit, from: number): void {
  try {
    for (let index = from; index < GATE.length; index += 1) {
      const reply = GATE[index]?.check(visit, endpoint.policy);
      if (reply === undefined) continue;
      if (isThenable(reply)) passLater(endpoint, visit, reply, index + 1);
      else turnAway(visit, reply);
      return;
    }
    dispatch(endpoint, visit);
  } catch (error) {
    fail(endpoint, visit, error);
  }
}

function passLater(endpoint: Endpoint, visit: Visit, reply: Promise<EdgeReply | undefined>, next: number): void {
  reply
    .then((late) => {
      if (late === undefined) pass(endpoint, visit, next);
      else turnAway(visit, late); // throws for headers of a verifier's that HTTP cannot carry
    })
    .catch((error: unknown) => fail(endpoint, visit, error));
}

function turnAway(visit: Visit, reply: EdgeReply): void {
  if (reply.status !== 0) sendEdgeReply(visit.exchange, visit.headers, reply);
}

function fail({ policy }: Endpoint, visit: Visit, error: unknown): void {
  policy.onError(error);
  turnAway(visit, { ...failInternally(), id: readableId(visit.message) });
}

function dispatch(endpoint: Endpoint, visit: Visit): void {
  const { selection } = visit;
  if (selection === undefined || selection.era === "refused")
    throw new TypeError("Expected the gate to have selected a room");
  if (visit.attendant !== undefined) {
    visit.attendant.serve(visit);
    return;
  }
  const room = ROOMS[selection.era];
  if (visit.kind !== "request" && !room.isServed(endpoint.policy, selection)) {
    turnAway(visit, NOT_SERVED);
    return;
  }
  switch (visit.kind) {
    case "request":
      serve(endpoint, visit, room);
      break;
    case "notification":
      turnAway(visit, room.checkNotification(endpoint.policy) ?? ACCEPTED);
      break;
    case "response":
      turnAway(visit, room.checkResponse() ?? ACCEPTED);
      break;
    case "batch":
      serveBatch(endpoint, visit, room);
      break;
    case "invalid":
      throw new TypeError("Expected the gate to have refused what is no message");
  }
}

/** Works on one request, without ever waiting when its handler does not. */
function serve({ server, policy, keepAlive }: Endpoint, visit: Visit, room: Room): void {
  const answer = new Answer(visit, policy);
  answer.announces = room.announces(policy);
  const request = visit.message as JsonRpcRequest; // classified as one by the gate
  const opened = room.open({ server, request, carrier: answer, selection: visit.selection });
  if (!isCall(opened)) {
    answer.complete(opened);
    return;
  }
  if (opened.method?.needs === "announces" && !answer.streams) {
    turnAway(visit, { ...NEEDS_EVENTS, id: request.id });
    return;
  }
  const sealed = run(opened);
  if (!isThenable(sealed)) {
    answer.complete(sealed);
    return;
  }
  visit.message = undefined; // the answer may take for ever
  answer.wait({ calls: [opened], abortsOnDisconnect: room.abortsOnDisconnect(policy), keepAlive });
  finish(policy, answer, sealed);
}

/** Works on every request of an array at the same time, and answers with an array. */
function serveBatch({ server, policy, keepAlive }: Endpoint, visit: Visit, room: Room): void {
  const requests = room.readBatch?.(visit.message as readonly unknown[]) ?? []; // classified as an array by the gate
  if ("status" in requests || requests.length === 0) {
    turnAway(visit, "status" in requests ? requests : ACCEPTED);
    return;
  }
  const answer = new Answer(visit, policy);
  const opened = requests.map((request) => room.open({ server, request, carrier: answer, selection: visit.selection }));
  const calls = opened.filter(isCall);
  answer.wait({ calls, abortsOnDisconnect: room.abortsOnDisconnect(policy), keepAlive });
  const all = Promise.all(opened.map((call) => (isCall(call) ? run(call) : call)));
  const joined = all.then((sealed) => ({ status: 200, text: `[${sealed.map(({ text }) => text).join(",")}]` }));
  finish(policy, answer, joined);
}

function finish(policy: Policy, answer: Answer, sealed: Promise<Sealed>): void {
  sealed
    .then((late) => answer.complete(late))
    .catch((error: unknown) => {
      policy.onError(error);
      answer.abandon();
    });
}

/** By its shape, not its class: the server may come from another copy of its package. */
function isCall(opened: Call | Sealed): opened is Call {
  return !("text" in opened);
}

import type { JsonObject, JsonRpcRequest, Revision } from "@mortise/core";
import type { Agreement, Call, Carrier, Sealed } from "@mortise/server/transport";
import type { EdgeReply } from "../edge-reply.js";
import type { Attendant } from "../room.js";
import type { Visit } from "../visit.js";
import { boundInfo, outlineAbilities } from "./remembered-client.js";
import { beginServing, type Serving, settle, WITHDRAWN } from "./serving.js";
import { createPlainCarrier, createSessionCarrier, type Session } from "./session.js";
import { CANCELLED, type SessionHub } from "./session-hub.js";
import type { SessionRecord } from "./session-store.js";

const ACCEPTED: EdgeReply = Object.freeze({ status: 202 });

/** Who sends the messages of one visit. */
export interface Sender {
  readonly hub: SessionHub;
  readonly revision: Revision;
  /** Left out for a client that belongs to none. */
  readonly session?: Session | undefined;
}

/** Serves what a sender sends, except for what opens a session. */
export function attend(sender: Sender): Attendant {
  return {
    serve(visit) {
      switch (visit.kind) {
        case "request":
          serveRequest(sender, visit);
          break;
        case "batch":
          serveBatch(sender, visit);
          break;
        default:
          takeMessage(sender, visit.message as JsonObject); // classified as one
          sender.hub.parts.turnAway(visit, ACCEPTED);
      }
    },
  };
}

/** Serves the request that opens a session. */
export function attendOpening({ hub, revision }: Sender): Attendant {
  const { keeper, parts } = hub;
  const { getStream } = parts.settings;
  return {
    serve(visit) {
      const serving = beginServing(hub, visit);
      const { answer, changes } = serving;
      const open = async (agreement: Agreement): Promise<void> => {
        const id = await keeper?.open({
          ...toRecord(hub, agreement, visit.principal),
          ...(hub.resumption === undefined ? {} : { streams: hub.resumption.createKey() }),
        });
        if (id !== undefined) visit.headers = [...visit.headers, "Mcp-Session-Id", id];
      };
      const carrier: Carrier = {
        ...createPlainCarrier(answer),
        announces: getStream,
        ...(keeper?.change && getStream ? { watched: NOT_YET } : {}),
        ...(keeper === undefined ? {} : { agree: (agreement: Agreement) => changes.add(open(agreement)) }),
      };
      const opened = openRequest(hub, visit.message as JsonRpcRequest, carrier, revision); // classified as one
      if (!("text" in opened)) opened.onCancelled = () => answer.abandon();
      void settle(serving, "text" in opened ? opened : opened.run());
    },
  };
}

/** What is declared depends on whether there will be something to watch with. */
const NOT_YET: NonNullable<Carrier["watched"]> = { add: () => undefined, delete: () => undefined };

function toRecord(
  { parts }: SessionHub,
  { revision, clientInfo, capabilities }: Agreement,
  principal: string | undefined,
): Omit<SessionRecord, "id"> {
  return {
    revision: revision.id,
    capabilities: outlineAbilities(capabilities, parts.isObject),
    watched: [],
    ...(principal === undefined ? {} : { principal }),
    ...(clientInfo === undefined ? {} : { clientInfo: boundInfo(clientInfo) }),
  };
}

function openRequest(
  { parts }: SessionHub,
  request: JsonRpcRequest,
  carrier: Carrier,
  revision: Revision,
): Call | Sealed {
  return parts.server.inside.eras.legacy.open(request, carrier, revision);
}

function serveRequest(sender: Sender, visit: Visit): void {
  const { hub, revision } = sender;
  const serving = beginServing(hub, visit);
  const { answer, changes } = serving;
  keepEvents(sender, serving);
  const carrier = createCarrier(sender, serving);
  const opened = openRequest(hub, visit.message as JsonRpcRequest, carrier, revision); // classified as one
  if ("text" in opened) {
    answer.complete(opened);
    return;
  }
  const sealed = opened.run();
  if (!hub.parts.isThenable(sealed) && changes.size === 0) {
    answer.complete(sealed);
    return;
  }
  wait(sender, serving, [opened]);
  const leave = track(sender, opened);
  opened.onCancelled = () => {
    leave();
    answer.abandon(hub.parts.server.closed ? undefined : WITHDRAWN);
  };
  void settle(serving, sealed).then(leave);
}

/** Works on every request of an array at the same time, and answers with an array. What was cancelled is left out. */
function serveBatch(sender: Sender, visit: Visit): void {
  const { hub, revision } = sender;
  const entries = visit.message as readonly JsonObject[]; // classified as an array; what is in it is looked at next
  const requests = hub.parts.readBatch(entries);
  if ("status" in requests) {
    hub.parts.turnAway(visit, requests);
    return;
  }
  const asking = new Set<unknown>(requests);
  for (const entry of entries) if (!asking.has(entry)) takeMessage(sender, entry);
  if (requests.length === 0) {
    hub.parts.turnAway(visit, ACCEPTED);
    return;
  }
  const serving = beginServing(hub, visit);
  keepEvents(sender, serving);
  const carrier = createCarrier(sender, serving);
  const opened = requests.map((request) => openRequest(hub, request, carrier, revision));
  wait(
    sender,
    serving,
    opened.filter((call): call is Call => !("text" in call)),
  );
  const answers = opened.map((call) => ("text" in call ? call : runUntilCancelled(sender, call)));
  void settle(serving, Promise.all(answers).then(join));
}

function join(answers: readonly (Sealed | undefined)[]): Sealed | undefined {
  const texts = answers.flatMap((sealed) => sealed?.text ?? []);
  return texts.length === 0 ? undefined : { status: 200, text: `[${texts.join(",")}]` };
}

/** Gives nothing for a call that was cancelled, also when its handler goes on. */
function runUntilCancelled(sender: Sender, call: Call): Promise<Sealed | undefined> {
  const leave = track(sender, call);
  return new Promise<Sealed | undefined>((resolve) => {
    call.onCancelled = () => resolve(undefined);
    void Promise.resolve(call.run()).then((sealed) => resolve(call.cancelled ? undefined : sealed));
  }).finally(leave);
}

function createCarrier({ hub, session }: Sender, serving: Serving): Carrier {
  if (session !== undefined) return createSessionCarrier(session, serving);
  return { ...createPlainCarrier(serving.answer), announces: hub.parts.settings.getStream };
}

/** Lets the events of the answer outlive its connection. */
function keepEvents({ hub, session }: Sender, { answer }: Serving): void {
  const key = session?.record.streams;
  const { resumption } = hub;
  if (session === undefined || key === undefined || resumption === undefined) return;
  answer.keep = (sink) => resumption.keepAnswer(session, key, sink);
}

function wait({ hub, session }: Sender, { answer }: Serving, calls: readonly Call[]): void {
  const { onDisconnect } = hub.parts.policy();
  answer.wait({ calls, abortsOnDisconnect: onDisconnect.legacy === "abort", keepAlive: hub.parts.keepAlive() });
  // A connection may break at any time, so the client is told early where to go on.
  if (answer.keep !== undefined && session?.revision.priming === true) answer.begin();
}

/** Lets the client cancel a call. Returns the function that ends this. */
function track({ hub, session }: Sender, call: Call): () => void {
  if (session === undefined) return () => undefined;
  const live = hub.enter({ session: session.id, principal: session.principal });
  live.add(call);
  return () => live.remove(call);
}

/** Takes a notification or a response. Outside of a session they have no effect. */
function takeMessage({ hub, session }: Sender, message: JsonObject): void {
  if (session === undefined) return;
  const asked = { session: session.id, principal: session.principal };
  const { method, params } = message;
  if (method === undefined) {
    hub.answer(asked, message);
    return;
  }
  const { isObject, isRequestId } = hub.parts;
  if (method !== "notifications/cancelled" || !isObject(params) || !isRequestId(params.requestId)) return;
  hub.cancel(asked, params.requestId, typeof params.reason === "string" ? params.reason : CANCELLED);
}

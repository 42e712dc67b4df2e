import type { JsonObject, JsonRpcRequest, Revision } from "@mortise/core";
import type { Agreement, Call, Carrier, Sealed } from "@mortise/server/transport";
import type { Answer } from "../answer.js";
import type { EdgeReply } from "../edge-reply.js";
import type { Attendant } from "../room.js";
import type { Visit } from "../visit.js";
import { type Changes, createPlainCarrier, createSessionCarrier, type Session } from "./session.js";
import { CANCELLED, type SessionHub } from "./session-hub.js";

const ACCEPTED: EdgeReply = Object.freeze({ status: 202 });

/** Serves what comes in a session, or outside of any where `session` is left out. */
export function attend(hub: SessionHub, revision: Revision, session?: Session): Attendant {
  return {
    serve(visit) {
      switch (visit.kind) {
        case "request":
          serveRequest(hub, visit, revision, session);
          break;
        case "batch":
          serveBatch(hub, visit, revision, session);
          break;
        default:
          if (session !== undefined) takeMessage(hub, session, visit.message as JsonObject); // classified as one
          hub.parts.turnAway(visit, ACCEPTED);
      }
    },
  };
}

/** Serves the request that opens a session. */
export function attendOpening(hub: SessionHub, revision: Revision): Attendant {
  const { keeper, parts } = hub;
  return {
    serve(visit) {
      const answer = parts.createAnswer(visit);
      const changes: Changes = [];
      const open = async (agreement: Agreement): Promise<void> => {
        const id = await keeper?.open(toRecord(agreement, visit.principal));
        if (id !== undefined) visit.headers = [...visit.headers, "Mcp-Session-Id", id];
      };
      const carrier: Carrier = {
        ...createPlainCarrier(answer),
        announces: parts.settings.getStream,
        // Both depend on the session to come, and decide what is declared.
        ...(keeper?.change && parts.settings.getStream ? { watched: NOT_YET } : {}),
        ...(keeper === undefined ? {} : { agree: (agreement: Agreement) => void changes.push(open(agreement)) }),
      };
      const opened = openRequest(hub, visit.message as JsonRpcRequest, carrier, revision); // classified as one
      if (!("text" in opened)) opened.onCancelled = () => answer.abandon();
      void settle(hub, answer, changes, "text" in opened ? opened : opened.run());
    },
  };
}

const NOT_YET: NonNullable<Carrier["watched"]> = { add: () => undefined, delete: () => undefined };

function toRecord({ revision, clientInfo, capabilities }: Agreement, principal: string | undefined) {
  return {
    revision: revision.id,
    capabilities,
    watched: [],
    ...(principal === undefined ? {} : { principal }),
    ...(clientInfo === undefined ? {} : { clientInfo }),
  };
}

function openRequest({ parts }: SessionHub, request: JsonRpcRequest, carrier: Carrier, revision: Revision) {
  return parts.server.inside.eras.legacy.open(request, carrier, revision);
}

function serveRequest(hub: SessionHub, visit: Visit, revision: Revision, session: Session | undefined): void {
  const { parts } = hub;
  const answer = parts.createAnswer(visit);
  const changes: Changes = [];
  const opened = openRequest(
    hub,
    visit.message as JsonRpcRequest, // classified as one
    createCarrier(hub, session, answer, changes),
    revision,
  );
  if ("text" in opened) {
    answer.complete(opened);
    return;
  }
  const sealed = opened.run();
  if (!parts.isThenable(sealed) && changes.length === 0) {
    answer.complete(sealed);
    return;
  }
  wait(hub, answer, [opened]);
  const leave = track(hub, session, opened);
  opened.onCancelled = () => {
    leave();
    answer.abandon(parts.server.closed ? undefined : ACCEPTED);
  };
  void settle(hub, answer, changes, sealed).then(leave);
}

function serveBatch(hub: SessionHub, visit: Visit, revision: Revision, session: Session | undefined): void {
  const { parts } = hub;
  const entries = visit.message as readonly JsonObject[]; // classified as an array
  const requests = parts.readBatch(entries);
  if ("status" in requests) {
    parts.turnAway(visit, requests);
    return;
  }
  for (const entry of entries)
    if (session !== undefined && !requests.includes(entry as never)) takeMessage(hub, session, entry);
  if (requests.length === 0) {
    parts.turnAway(visit, ACCEPTED);
    return;
  }
  const answer = parts.createAnswer(visit);
  const changes: Changes = [];
  const carrier = createCarrier(hub, session, answer, changes);
  const opened = requests.map((request) => openRequest(hub, request, carrier, revision));
  const calls = opened.filter((call): call is Call => !("text" in call));
  wait(hub, answer, calls);
  const answers = opened.map((call) => ("text" in call ? call : runUntilCancelled(hub, session, call)));
  const joined = Promise.all(answers).then((all): Sealed | undefined => {
    const texts = all.flatMap((sealed) => sealed?.text ?? []);
    return texts.length === 0 ? undefined : { status: 200, text: `[${texts.join(",")}]` };
  });
  void settle(hub, answer, changes, joined);
}

/** Gives nothing for a call that was cancelled, also when its handler goes on. */
function runUntilCancelled(hub: SessionHub, session: Session | undefined, call: Call): Promise<Sealed | undefined> {
  const leave = track(hub, session, call);
  return new Promise<Sealed | undefined>((resolve) => {
    call.onCancelled = () => resolve(undefined);
    void Promise.resolve(call.run()).then((sealed) => resolve(call.cancelled ? undefined : sealed));
  }).finally(leave);
}

function createCarrier(hub: SessionHub, session: Session | undefined, answer: Answer, changes: Changes): Carrier {
  if (session !== undefined) return createSessionCarrier(hub, session, answer, changes);
  return { ...createPlainCarrier(answer), announces: hub.parts.settings.getStream };
}

function wait({ parts }: SessionHub, answer: Answer, calls: readonly Call[]): void {
  const { onDisconnect } = parts.policy();
  answer.wait({ calls, abortsOnDisconnect: onDisconnect.legacy === "abort", keepAlive: parts.keepAlive() });
}

/** Lets the client cancel a call. Returns the function that ends this. */
function track(hub: SessionHub, session: Session | undefined, call: Call): () => void {
  if (session === undefined) return () => undefined;
  const live = hub.enter({ session: session.id, principal: session.principal });
  live.add(call);
  return () => live.remove(call);
}

/** Completes an answer once everything it changes is stored. Never rejects. */
async function settle(
  { parts }: SessionHub,
  answer: Answer,
  changes: Changes,
  sealed: Sealed | undefined | Promise<Sealed | undefined>,
): Promise<void> {
  try {
    const late = await sealed;
    await Promise.all(changes);
    if (late === undefined) answer.abandon(parts.server.closed ? undefined : ACCEPTED);
    else answer.complete(late);
  } catch (error) {
    parts.policy().onError(error);
    answer.abandon(FAILED);
  }
}

const FAILED: EdgeReply = Object.freeze({ status: 500, error: { code: -32603, message: "Internal error" } });

function takeMessage(hub: SessionHub, { id, principal }: Session, message: JsonObject): void {
  const asked = { session: id, principal };
  const { method, params } = message;
  if (method === undefined) {
    hub.answer(asked, message);
    return;
  }
  const { isObject, isRequestId } = hub.parts;
  if (method !== "notifications/cancelled" || !isObject(params) || !isRequestId(params.requestId)) return;
  hub.cancel(asked, params.requestId, typeof params.reason === "string" ? params.reason : CANCELLED);
}

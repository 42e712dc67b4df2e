import type { JsonObject, Revision } from "@mortise/core";
import type { EdgeReply } from "../edge-reply.js";
import type { Visit } from "../visit.js";
import { attend, attendOpening } from "./attend.js";
import { joinStreams, openGetStream } from "./get-stream.js";
import type { SessionParts } from "./index.js";
import type { Place, Resumption } from "./resumption.js";
import type { Session } from "./session.js";
import { SessionHub } from "./session-hub.js";
import type { SessionRecord } from "./session-store.js";
import type { OpenStream } from "./session-streams.js";

/** Legacy clients that are remembered between their requests. */
export interface Sessions {
  /** See `LegacyDoor`. */
  serve(visit: Visit): EdgeReply | Promise<EdgeReply>;
  /** See `LegacyDoor`. */
  admit(visit: Visit): EdgeReply | undefined | Promise<EdgeReply | undefined>;
}

/**
 * Builds the sessions of one handler. Loaded with the first legacy request of a handler that has any.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management
 */
export function createSessions(parts: SessionParts, resumption?: Resumption): Sessions {
  const hub = new SessionHub(parts, resumption);
  const { refuse, isThenable } = parts;
  const missing = refuse(400, "Expected the Mcp-Session-Id header of an open session");
  const unknown = refuse(404, "Expected the Mcp-Session-Id header to name an open session");
  const wrongVersion = refuse(400, "Expected the MCP-Protocol-Version header to be the version agreed on");
  const noBatch = refuse(400, "Expected one message, received an array");
  const full = { ...refuse(503, "Every session is at work"), headers: ["Retry-After", "5"] };
  const noEvents = refuse(406, "Expected the Accept header to list text/event-stream");

  /** Finds the session of a visit, and gives what is to be done with it. */
  function findSession<Done>(
    visit: Visit,
    next: (session: Session | undefined) => Done,
  ): Done | EdgeReply | Promise<Done | EdgeReply> {
    const { keeper } = hub;
    const id = visit.exchange.header("mcp-session-id");
    if (keeper === undefined || id === undefined) return keeper?.required ? missing : next(undefined);
    const judge = (record: SessionRecord | undefined): Done | EdgeReply => {
      const session = record && readSession(parts, id, record);
      if (session === undefined || session.principal !== visit.principal) return unknown;
      const version = visit.exchange.header("mcp-protocol-version");
      if (version !== undefined && version !== session.revision.id) return wrongVersion;
      hub.use(session.record);
      return next(session);
    };
    const found = keeper.find(id);
    return isThenable(found) ? found.then(judge) : judge(found);
  }

  function admitToSession(visit: Visit, session: Session | undefined): EdgeReply | undefined {
    const { selection, kind } = visit;
    const assumed = selection?.era === "legacy" ? selection.revision : undefined;
    const revision = session?.revision ?? assumed;
    if (revision === undefined) throw new TypeError("Expected a legacy selection");
    if (kind === "batch" && !takesBatches(revision)) return noBatch;
    visit.attendant = attend({ hub, revision, session });
    return undefined;
  }

  function takesBatches(revision: Revision): boolean {
    return revision.batch || parts.policy().messages.batches;
  }

  function admitOpening(visit: Visit): EdgeReply | undefined {
    const { selection } = visit;
    if (selection?.era !== "legacy") throw new TypeError("Expected a legacy selection");
    if (hub.keeper?.hasRoom?.() === false) return full;
    visit.attendant = attendOpening({ hub, revision: selection.revision });
    return undefined;
  }

  /** A stream that outlives its connection is opened or gone on with; any other is just opened. */
  function openStream(visit: Visit, session: Session | undefined): EdgeReply | Promise<EdgeReply> {
    const { getStream } = parts.settings;
    if (session?.record.streams === undefined || resumption === undefined)
      return getStream ? openGetStream(hub, visit, session) : noStream();
    const join = (stream: OpenStream): (() => void) => joinStreams(hub, session, stream);
    const hasOthers = (stream: OpenStream): boolean => hub.find(session.id)?.streams?.hasOthers(stream) === true;
    const listen = (place?: Place): EdgeReply =>
      getStream ? resumption.listen(visit, session, { join, hasOthers }, place) : noStream();
    const isNew = (visit.exchange.header("last-event-id") ?? "") === "";
    return isNew ? listen() : resumption.resume(visit, session, listen);
  }

  /** GET is served here for clients that come back, and for no others. */
  function noStream(): EdgeReply {
    const allowed = parts.policy().allowedMethods.filter((method) => method !== "GET");
    return refuse(405, "Expected the Last-Event-ID header of a stream to go on with", ["Allow", allowed.join(", ")]);
  }

  async function end(session: Session): Promise<EdgeReply> {
    const { id, principal } = session;
    if ((await hub.keeper?.end?.(id)) !== true) return unknown;
    hub.end({ session: id, principal });
    void hub.attempt(async () => resumption?.forget(session));
    return { status: 204 };
  }

  return {
    admit(visit) {
      const { message, kind } = visit;
      const isOpening = kind === "request" && (message as JsonObject).method === "initialize"; // classified as one
      const admitted = isOpening
        ? admitOpening(visit)
        : findSession(visit, (session) => admitToSession(visit, session));
      const id = parts.readableId(message);
      const withId = (reply: EdgeReply | undefined): EdgeReply | undefined => reply && { ...reply, id };
      return isThenable(admitted) ? admitted.then(withId) : withId(admitted);
    },
    async serve(visit) {
      if (visit.exchange.method === "GET" && !visit.acceptance.events) return noEvents;
      return findSession(visit, (session): EdgeReply | Promise<EdgeReply> => {
        if (visit.exchange.method === "GET") return openStream(visit, session);
        return session === undefined ? missing : end(session);
      });
    },
  };
}

function readSession({ REVISIONS }: SessionParts, id: string, record: SessionRecord): Session | undefined {
  const revision = REVISIONS.get(record.revision);
  if (revision === undefined) return undefined; // of another version of this program, on the same store
  return { id, principal: record.principal, revision, record };
}

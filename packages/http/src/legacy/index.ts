import { classifyMessage, isObject, isRequestId, isThenable, JsonRpcError, REVISIONS, readableId } from "@mortise/core";
import { openLegacy } from "@mortise/server/transport";
import { refuse } from "../edge-reply.js";
import type { LegacyDoor, LegacyParts } from "../legacy-door.js";
import type { Room } from "../room.js";
import type { Visit } from "../visit.js";
import { readBatch } from "./batch.js";
import type { Resumption } from "./resumption.js";
import type { Sessions } from "./sessions.js";
import { createSseDoor } from "./sse-door.js";

export type { EventStore, StoredEvent, StoredEvents } from "./event-store.js";
export type { SessionRecord, SessionStore } from "./session-store.js";

/**
 * The legacy era over HTTP: leaving is not cancelling. Where no client is remembered, responses are taken although nothing asked, and
 * ids of sessions and events that other servers gave are ignored.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export const LEGACY_ROOM: Room = {
  admit: (visit, { legacy }) => legacy?.admit?.(visit),
  open({ server, request, carrier, selection }) {
    if (selection?.era !== "legacy") throw new TypeError("Expected a legacy selection");
    return openLegacy(server, request, carrier, selection.revision);
  },
  isServed: ({ versions }, selection) => selection.era === "legacy" && versions.includes(selection.revision.id),
  announces: () => false,
  abortsOnDisconnect: ({ onDisconnect }) => onDisconnect.legacy === "abort",
  checkNotification: () => undefined,
  checkResponse: () => undefined,
  readBatch,
};

/** What sessions need of what is loaded at start. */
interface Tools {
  readonly classifyMessage: typeof classifyMessage;
  readonly isObject: typeof isObject;
  readonly isRequestId: typeof isRequestId;
  readonly isThenable: typeof isThenable;
  readonly JsonRpcError: typeof JsonRpcError;
  readonly REVISIONS: typeof REVISIONS;
  readonly readableId: typeof readableId;
  readonly readBatch: typeof readBatch;
  readonly refuse: typeof refuse;
}

const TOOLS: Tools = {
  classifyMessage,
  isObject,
  isRequestId,
  isThenable,
  JsonRpcError,
  REVISIONS,
  readableId,
  readBatch,
  refuse,
};

/** Everything that sessions work with. It is handed in, since what is loaded later shares no code with what is loaded at start. */
export type SessionParts = LegacyParts & Tools;

/** Builds the door to everything that remembers legacy clients. */
export function createLegacyDoor(parts: LegacyParts): LegacyDoor {
  const { store, getStream, mintsIds, events, sse } = parts.settings;
  const remembers = store !== undefined || getStream || mintsIds;
  let sessions: Sessions | undefined;
  const load = async (): Promise<Sessions> => {
    const all = { ...parts, ...TOOLS };
    const [{ createSessions }, resumption] = await Promise.all([import("./sessions.js"), loadResumption(all)]);
    sessions ??= createSessions(all, resumption);
    return sessions;
  };
  return {
    methods: [...(getStream || events !== undefined ? ["GET"] : []), ...(store === undefined ? [] : ["DELETE"])],
    serve: (visit) => sessions?.serve(visit) ?? load().then((loaded) => loaded.serve(visit)),
    ...(remembers
      ? {
          admit: (visit: Visit) =>
            sessions === undefined ? load().then((loaded) => loaded.admit(visit)) : sessions.admit(visit),
        }
      : {}),
    sse: sse && createSseDoor({ ...parts, ...TOOLS }, sse),
  };
}

async function loadResumption(parts: SessionParts): Promise<Resumption | undefined> {
  const { events } = parts.settings;
  if (events === undefined) return undefined;
  const { Resumption } = await import("./resumption.js");
  return new Resumption(parts, events);
}

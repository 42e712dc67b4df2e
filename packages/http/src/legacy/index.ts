import { openLegacy } from "@mortise/server/transport";
import type { Room } from "../room.js";
import { readBatch } from "./batch.js";

/**
 * The legacy era over HTTP, without sessions: leaving is not cancelling, and responses are taken although nothing asked.
 * Session and event ids of earlier servers are ignored.
 *
 * Follows https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
 */
export const LEGACY_ROOM: Room = {
  open({ server, request, carrier, selection }) {
    if (selection?.era !== "legacy") throw new TypeError("Expected a legacy selection");
    return openLegacy(server, request, carrier, selection.revision);
  },
  isServed: ({ versions }, selection) => selection.era === "legacy" && versions.includes(selection.revision.id),
  abortsOnDisconnect: ({ onDisconnect }) => onDisconnect.legacy === "abort",
  checkNotification: () => undefined,
  checkResponse: () => undefined,
  readBatch,
};

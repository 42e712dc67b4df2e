import { openModern } from "@mortise/server/transport";
import { refuse } from "../edge-reply.js";
import type { Room } from "../room.js";
import { speaksEra } from "../served-versions.js";

const NO_NOTIFICATIONS = refuse(400, "Expected a request: this revision defines no notifications over HTTP");
const NO_RESPONSES = refuse(400, "Expected a request or a notification, received a response");

/**
 * The modern era over HTTP: closing the connection is how a request is cancelled, and clients send no responses.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#sending-messages
 */
export const MODERN_ROOM: Room = {
  open: ({ server, request, carrier }) => openModern(server, request, carrier),
  isServed: ({ versions }) => speaksEra(versions, "modern"),
  announces: ({ responseMode }) => responseMode !== "json",
  abortsOnDisconnect: ({ onDisconnect }) => onDisconnect.modern === "abort",
  checkNotification: ({ rejectModernNotifications }) => (rejectModernNotifications ? NO_NOTIFICATIONS : undefined),
  checkResponse: () => NO_RESPONSES,
};

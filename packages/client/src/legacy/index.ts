export type { HandshakeFindings } from "./handshake.js";
export { openLegacySession } from "./session.js";

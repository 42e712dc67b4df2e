export { isOlderTransport } from "./handshake.js";
export { openLegacySession } from "./session.js";

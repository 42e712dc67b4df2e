export { openLegacySession } from "./session.js";

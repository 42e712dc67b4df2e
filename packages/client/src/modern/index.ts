export { judgeAnswer } from "./discover.js";
export { createModernSession, createSpeaker, DISCOVER, type ModernSpeaker } from "./session.js";

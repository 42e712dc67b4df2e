export { judgeHttpAnswer, judgePipeAnswer } from "./discover.js";
export { createModernSession, createSpeaker, DISCOVER, type ModernSpeaker } from "./session.js";

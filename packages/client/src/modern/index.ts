export { isDiscoverResult, judgeHttpAnswer, judgePipeAnswer } from "./discover.js";
export { createModernSession, DISCOVER, type ModernSpeaker, createSpeaker } from "./session.js";

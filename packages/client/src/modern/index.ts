export { judgeHttpAnswer, judgeModernAnswer } from "./discover.js";
export { judgePipeAnswer } from "./judge-pipe.js";
export { createModernSession, createSpeaker, DISCOVER, type ModernSpeaker } from "./session.js";

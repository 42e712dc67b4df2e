export { describeError, judgeHttpAnswer, judgeModernAnswer } from "./discover.js";
export { type Judges, judgePipeAnswer } from "./judge-pipe.js";
export { createModernSession, createSpeaker, DISCOVER, type ModernSpeaker } from "./session.js";

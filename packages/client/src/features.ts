/* What clients that only call tools do not need; loaded with the first use of any of it. */
export { readCompletion, toCompletionParams } from "./completion.js";
export { readItems, readPages } from "./lists.js";
export { readPromptResult } from "./prompts.js";
export { readResourceResult } from "./resources.js";

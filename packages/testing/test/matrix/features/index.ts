import type { Feature } from "../feature.js";
import { CANCELLATION } from "./cancellation.js";
import { CHANGES } from "./changes.js";
import { CONTENT } from "./content.js";
import { EXTENSION } from "./extension.js";
import { NOTICES } from "./notices.js";
import { OPENING } from "./opening.js";
import { PROMPTS } from "./prompts.js";
import { QUESTIONS } from "./questions.js";
import { QUESTIONS_ELSEWHERE } from "./questions-elsewhere.js";
import { REFUSED_QUESTIONS } from "./refused-questions.js";
import { RESOURCES } from "./resources.js";
import { RESUMPTION } from "./resumption.js";
import { RULES } from "./rules.js";
import { TOOLS } from "./tools.js";

/** Everything that depends on how questions are put. */
export const ASKING: readonly Feature[] = [...QUESTIONS, ...QUESTIONS_ELSEWHERE, ...REFUSED_QUESTIONS];

/** Everything that is tried. */
export const FEATURES: readonly Feature[] = [
  ...OPENING,
  ...TOOLS,
  ...CONTENT,
  ...RESOURCES,
  ...PROMPTS,
  ...NOTICES,
  ...ASKING,
  ...CHANGES,
  ...CANCELLATION,
  ...RESUMPTION,
  ...EXTENSION,
  ...RULES,
];

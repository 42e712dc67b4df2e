import type { ToolSpec } from "../tool-spec.js";
import { ASK_MODEL } from "./ask-model.js";

/** Every tool, in the order in which they are listed. */
export const ALL_TOOLS: readonly ToolSpec[] = [
  ASK_MODEL, //
];

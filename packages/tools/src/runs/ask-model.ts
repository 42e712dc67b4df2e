import { expectText } from "../prompt/expect-text.js";
import type { Run } from "../tool-spec.js";
import type { AskModelArgs } from "../tools/ask-model.js";

/** Puts the prompt to the model as it is. */
export const run: Run<AskModelArgs> = async ({ prompt, model, system }, { ask }) => {
  expectText("prompt", prompt);
  const { text } = await ask.text({ prompt, model, system });
  return text;
};

import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `ask_model`. */
export interface AskModelArgs {
  readonly prompt: string;
  readonly model?: string | undefined;
  readonly system?: string | undefined;
}

/** Puts a question to a model. */
export const ASK_MODEL: ToolSpec<AskModelArgs> = {
  name: "ask_model",
  title: "Ask a model",
  description:
    "Asks another language model and gives its answer as text. Useful for a second opinion, or for a model that is better at something. It sees nothing but the prompt: put in everything it has to know.",
  input: {
    type: "object",
    properties: {
      prompt: { type: "string", minLength: 1, maxLength: 400_000, description: "What to ask" },
      model: {
        type: "string",
        minLength: 1,
        maxLength: 200,
        description: "A model of the provider's, by its id. Default: the configured one",
      },
      system: { type: "string", maxLength: 400_000, description: "How the model is to behave" },
    },
    required: ["prompt"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/ask-model.js"),
};

import { PROVIDERS } from "../providers/provider-table.js";
import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `consensus`. */
export interface ConsensusArgs {
  readonly prompt: string;
  readonly providers?: readonly string[] | undefined;
  readonly provider?: string | undefined;
}

const IDS = PROVIDERS.filter(({ modelVariable }) => modelVariable !== undefined).map(({ id }) => id);

/** Puts one question to several providers at once. */
export const CONSENSUS: ToolSpec<ConsensusArgs> = {
  name: "consensus",
  title: "Ask several models",
  description:
    "Puts the same question to several providers at once and gives the answer of each, unchanged, so that they can be compared. A provider that fails is reported in its place. Use it for decisions where one model's opinion is not enough.",
  input: {
    type: "object",
    properties: {
      prompt: { type: "string", minLength: 1, maxLength: 400_000, description: "What to ask every provider" },
      providers: {
        type: "array",
        items: { type: "string", enum: IDS },
        minItems: 1,
        uniqueItems: true,
        description: "Which providers are asked. Default: all that are configured",
      },
      provider: { type: "string", enum: IDS, description: 'One provider to ask, in addition to those in "providers"' },
    },
    required: ["prompt"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      answers: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            provider: { type: "string", description: 'Who was asked; "client" is the model of the client' },
            model: { type: "string" },
            text: { type: "string", description: "The answer" },
            error: { type: "string", description: "Why there is no answer" },
          },
          required: ["provider"],
          additionalProperties: false,
        },
      },
    },
    required: ["answers"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  // It chooses whom to ask itself, and goes on without those that are not configured.
  needs: "nothing",
  load: () => import("../runs/consensus.js"),
};

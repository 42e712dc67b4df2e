import { PROVIDERS } from "../providers/provider-table.js";
import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `list_providers`. */
export interface ListProvidersArgs {
  readonly provider?: string | undefined;
}

/** Tells which providers there are, and what each still needs. */
export const LIST_PROVIDERS: ToolSpec<ListProvidersArgs> = {
  name: "list_providers",
  title: "List providers",
  description:
    "Lists the model providers that the other tools can use: which are configured, which one answers by default, their models, and for the rest the environment variables that are not set. Calls nobody and never shows a key.",
  input: {
    type: "object",
    properties: {
      provider: {
        type: "string",
        enum: PROVIDERS.map(({ id }) => id),
        description: "Tell about this provider alone. Default: all",
      },
    },
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      default: {
        type: "string",
        description: "The provider that answers where a call names none; absent if there is none",
      },
      configured: {
        type: "array",
        items: { type: "string" },
        description: "The ids of the providers that can be used",
      },
      providers: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string", description: 'What the argument "provider" of the other tools takes' },
            name: { type: "string" },
            configured: { type: "boolean" },
            model: {
              type: "string",
              description: "The model for text; absent where it has to be named, or there is none",
            },
            imageModel: { type: "string", description: "The model for images; absent where it makes none" },
            unset: {
              type: "array",
              items: { type: "string" },
              description: "The environment variables it needs that are not set",
            },
          },
          required: ["id", "name", "configured", "unset"],
          additionalProperties: false,
        },
      },
    },
    required: ["configured", "providers"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  needs: "nothing",
  load: () => import("../runs/list-providers.js"),
};

import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_component`. */
export interface GenerateComponentArgs {
  readonly description: string;
  readonly framework?: string | undefined;
  readonly language?: string | undefined;
  readonly styling?: string | undefined;
}

/** Writes a component of a user interface. */
export const GENERATE_COMPONENT: ToolSpec<GenerateComponentArgs> = {
  name: "generate_component",
  title: "Generate a component",
  description:
    "Writes one component of a user interface, as the code of one file: accessible, typed where the language has types, without dependencies that were not asked for. Gives code alone; no file is written.",
  input: {
    type: "object",
    properties: {
      description: {
        type: "string",
        minLength: 1,
        maxLength: 100_000,
        description: "What the component shows and does, with its props and states",
      },
      framework: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description:
          'Such as "react", "vue", "svelte", "angular", "solid", "lit", "web components" or "html". Default: react',
      },
      language: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: '"typescript" or "javascript". Default: typescript',
      },
      styling: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description:
          'Such as "tailwind", "css modules", "styled-components" or "plain css". Default: what the framework brings, without another library',
      },
    },
    required: ["description"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-component.js"),
};

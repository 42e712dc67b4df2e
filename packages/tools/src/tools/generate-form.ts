import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_form`. */
export interface GenerateFormArgs {
  readonly description: string;
  readonly framework?: string | undefined;
  readonly action?: string | undefined;
}

/** Writes a form. */
export const GENERATE_FORM: ToolSpec<GenerateFormArgs> = {
  name: "generate_form",
  title: "Generate a form",
  description:
    "Writes a form, as the code of one file: labelled fields of the right types, validation with messages, states while it is sent and when that fails. Gives code alone; no file is written.",
  input: {
    type: "object",
    properties: {
      description: {
        type: "string",
        minLength: 1,
        maxLength: 100_000,
        description: "What the form asks for: its fields, which are required, and their rules",
      },
      framework: {
        type: "string",
        minLength: 1,
        maxLength: 100,
        description: 'Such as "html", "react", "vue", "svelte", "angular" or "solid". Default: html',
      },
      action: {
        type: "string",
        minLength: 1,
        maxLength: 2000,
        description:
          'Where the form is sent, such as "/api/signup". Default: a handler that the user of the form passes in',
      },
    },
    required: ["description"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-form.js"),
};

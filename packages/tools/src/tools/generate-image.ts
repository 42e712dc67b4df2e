import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_image`. */
export interface GenerateImageArgs {
  readonly prompt: string;
  /** Width and height in pixels, such as "1024x1024". */
  readonly size?: string | undefined;
}

/** Makes a picture. */
export const GENERATE_IMAGE: ToolSpec<GenerateImageArgs> = {
  name: "generate_image",
  title: "Generate an image",
  description:
    "Makes an image from a description and gives it as an image block, PNG where the provider makes PNG. Needs a provider that makes images, such as OpenAI or Stability.",
  input: {
    type: "object",
    properties: {
      prompt: { type: "string", minLength: 1, maxLength: 10_000, description: "What the image is to show" },
      // Its form is checked when it is used: what judges a pattern would be loaded at every start.
      size: {
        type: "string",
        maxLength: 9,
        description:
          'Width and height in pixels, such as "1024x1024". The nearest that the provider makes is taken. Default: the provider\'s own',
      },
    },
    required: ["prompt"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  needs: "image",
  load: () => import("../runs/generate-image.js"),
};

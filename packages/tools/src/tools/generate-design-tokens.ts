import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_design_tokens`. */
export interface GenerateDesignTokensArgs {
  readonly brand: string;
  readonly brandColor?: string | undefined;
}

/** Makes the colors, type and spacing of a brand. */
export const GENERATE_DESIGN_TOKENS: ToolSpec<GenerateDesignTokensArgs> = {
  name: "generate_design_tokens",
  title: "Generate design tokens",
  description:
    "Makes design tokens for a brand: a light and a dark color scheme, type, spacing and radii, with CSS variables and a Tailwind theme. The contrast of every text color on its backgrounds is computed; what cannot be read is mended, or reported.",
  input: {
    type: "object",
    properties: {
      brand: { type: "string", minLength: 1, maxLength: 20_000, description: "The brand, and the mood of its design" },
      brandColor: {
        type: "string",
        minLength: 1,
        maxLength: 60,
        description: 'Its color, which becomes the primary one: "#rgb", "#rrggbb", "rgb(r, g, b)" or "hsl(h, s%, l%)"',
      },
    },
    required: ["brand"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      tokens: {
        type: "object",
        description: "Colors as #rrggbb by scheme and role, font families, and sizes in pixels",
      },
      css: { type: "string", description: "The tokens as CSS variables" },
      tailwind: { type: "string", description: "The tokens as a theme of Tailwind CSS 4" },
      contrast: {
        type: "array",
        description: "The computed contrast of each text color on each of its backgrounds",
        items: {
          type: "object",
          properties: {
            scheme: { enum: ["light", "dark"] },
            foreground: { type: "string" },
            background: { type: "string" },
            ratio: { type: "number" },
            required: { type: "number" },
            passes: { type: "boolean" },
            changedFrom: { type: "string", description: "The color before it was changed so that it passes" },
          },
          required: ["scheme", "foreground", "background", "ratio", "required", "passes"],
        },
      },
    },
    required: ["tokens", "css", "tailwind", "contrast"],
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-design-tokens.js"),
};

import type { JsonObject } from "@mortise/core";
import { buildTokens, type DesignAnswer, findDesignProblems } from "../design-tokens/build-tokens.js";
import { formatColor, parseColor } from "../design-tokens/color.js";
import { fixContrast } from "../design-tokens/fix-contrast.js";
import { renderCss, renderTailwind } from "../design-tokens/render-css.js";
import { COLOR_ROLES, type DesignTokens } from "../design-tokens/tokens.js";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import { ToolFailure } from "../tool-failure.js";
import type { Run } from "../tool-spec.js";
import type { GenerateDesignTokensArgs } from "../tools/generate-design-tokens.js";

const TEXT = { type: "string", minLength: 1, maxLength: 200 } as const;

const COLORS: JsonObject = {
  type: "object",
  properties: Object.fromEntries(COLOR_ROLES.map((role) => [role, TEXT])),
  required: COLOR_ROLES,
  additionalProperties: false,
};

const ANSWER: JsonObject = {
  type: "object",
  properties: {
    name: TEXT,
    light: COLORS,
    dark: COLORS,
    fonts: {
      type: "object",
      properties: { heading: TEXT, body: TEXT, mono: TEXT },
      required: ["heading", "body", "mono"],
      additionalProperties: false,
    },
    baseSize: { type: "number", minimum: 12, maximum: 22, description: "Size of running text in pixels" },
    scale: { type: "number", minimum: 1.05, maximum: 1.7, description: "Ratio of the type scale" },
    spacing: { type: "number", minimum: 2, maximum: 10, description: "Step of the spacing scale in pixels" },
    radius: { type: "number", minimum: 0, maximum: 32, description: "Radius of ordinary corners in pixels" },
  },
  required: ["name", "light", "dark", "fonts", "baseSize", "scale", "spacing", "radius"],
  additionalProperties: false,
};

/** Asks for the decisions of a design, makes its colors readable, and renders it. */
export const run: Run<GenerateDesignTokensArgs> = async ({ brand, brandColor }, { ask }) => {
  expectText("brand", brand);
  const primary = brandColor === undefined ? undefined : readBrandColor(brandColor);
  const answer = await ask.json<DesignAnswer>({
    ...composePrompt({
      role: "You are a design lead who builds design systems that are distinctive and easy to read.",
      rules: [
        'Every color is "#rrggbb", opaque. Give both schemes, and design the dark one rather than inverting the light one.',
        "background and surface carry text and muted, which need a contrast of 4.5 on both, by WCAG 2.2; onPrimary, onSecondary and onAccent need it on primary, secondary and accent; success, warning and danger need 3 on background and surface.",
        primary === undefined
          ? "Derive primary from the brand, and the other colors so that they go with it."
          : `light.primary is ${primary}, the brand's color. Derive the other colors so that they go with it.`,
        'Each of "fonts" is a list of families with commas between them that ends with a generic one, such as: Inter, system-ui, sans-serif.',
        '"name" is a short name of the theme.',
      ],
      task: "Decide on the design tokens of the brand in the material.",
      material: { brand },
    }),
    schema: ANSWER,
    check: findDesignProblems,
  });
  return describe(buildTokens(answer, primary));
};

function readBrandColor(text: string): string {
  const color = parseColor(text);
  if (color !== undefined) return formatColor(color);
  const forms = '"#rgb", "#rrggbb", "rgb(r, g, b)" or "hsl(h, s%, l%)"';
  throw new ToolFailure(`Expected "brandColor" to be ${forms}, received ${JSON.stringify(text.slice(0, 60))}`);
}

function describe(given: DesignTokens): object {
  const light = fixContrast(given.color.light, "light");
  const dark = fixContrast(given.color.dark, "dark");
  const tokens: DesignTokens = { ...given, color: { light: light.colors, dark: dark.colors } };
  return {
    tokens,
    css: renderCss(tokens),
    tailwind: renderTailwind(tokens),
    contrast: [...light.reports, ...dark.reports],
  };
}

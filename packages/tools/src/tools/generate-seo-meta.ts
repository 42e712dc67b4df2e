import type { ToolSpec } from "../tool-spec.js";

/** Arguments of `generate_seo_meta`. */
export interface GenerateSeoMetaArgs {
  readonly page: string;
  readonly url?: string | undefined;
  readonly siteName?: string | undefined;
}

const TEXT = { type: "string" } as const;

/** Describes a page to search engines and to whoever shares it. */
export const GENERATE_SEO_META: ToolSpec<GenerateSeoMetaArgs> = {
  name: "generate_seo_meta",
  title: "Generate SEO metadata",
  description:
    "Writes title, description, keywords, Open Graph and Twitter fields for a page, checks their lengths, and renders them as HTML for its head, with everything escaped.",
  input: {
    type: "object",
    properties: {
      page: {
        type: "string",
        minLength: 1,
        maxLength: 200_000,
        description: "What the page is about: its text, its HTML, or a description",
      },
      url: { type: "string", maxLength: 2000, description: "The address of the page, http or https" },
      siteName: { type: "string", minLength: 1, maxLength: 100, description: "The name of the site it belongs to" },
    },
    required: ["page"],
    additionalProperties: false,
  },
  output: {
    type: "object",
    properties: {
      title: { ...TEXT, description: "10 to 60 characters" },
      description: { ...TEXT, description: "50 to 160 characters" },
      keywords: { type: "array", items: TEXT },
      ogTitle: TEXT,
      ogDescription: TEXT,
      ogType: { enum: ["website", "article", "product", "profile"] },
      twitterCard: { enum: ["summary", "summary_large_image"] },
      canonical: { ...TEXT, description: "The address of the page, where it was given" },
      siteName: TEXT,
      html: { ...TEXT, description: "All of it as tags for the head of the page" },
    },
    required: ["title", "description", "keywords", "ogTitle", "ogDescription", "ogType", "twitterCard", "html"],
  },
  annotations: { readOnlyHint: true, openWorldHint: true },
  load: () => import("../runs/generate-seo-meta.js"),
};

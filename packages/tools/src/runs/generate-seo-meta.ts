import type { JsonObject } from "@mortise/core";
import { composePrompt } from "../prompt/compose-prompt.js";
import { expectText } from "../prompt/expect-text.js";
import { findMetaProblems, readCanonical } from "../seo-meta/check-meta.js";
import { renderMeta, type SeoMeta } from "../seo-meta/render-meta.js";
import type { Run } from "../tool-spec.js";
import type { GenerateSeoMetaArgs } from "../tools/generate-seo-meta.js";

const TEXT = { type: "string", minLength: 1, maxLength: 1000 } as const;

const ANSWER: JsonObject = {
  type: "object",
  properties: {
    title: TEXT,
    description: TEXT,
    keywords: { type: "array", maxItems: 12, items: { type: "string", minLength: 1, maxLength: 200 } },
    ogTitle: TEXT,
    ogDescription: TEXT,
    ogType: { enum: ["website", "article", "product", "profile"] },
    twitterCard: { enum: ["summary", "summary_large_image"] },
  },
  required: ["title", "description", "keywords", "ogTitle", "ogDescription", "ogType", "twitterCard"],
  additionalProperties: false,
};

/** Asks for the fields, checks them, and renders them. */
export const run: Run<GenerateSeoMetaArgs> = async ({ page, url, siteName }, { ask }) => {
  expectText("page", page);
  const canonical = url === undefined ? undefined : readCanonical(url);
  const meta = await ask.json<SeoMeta>({
    ...composePrompt({
      role: "You write metadata of web pages for search engines and for people who see it in a list of results.",
      rules: [
        '"title" has 30 to 60 characters and puts what matters first. "description" has 70 to 155, is a full sentence or two, and makes one want to read the page.',
        '"ogTitle" has up to 70 characters, "ogDescription" 60 to 180: they are for people who share the page.',
        'Give 3 to 8 "keywords" that people would search for, each of one to four words, without commas.',
        '"ogType" is article for news and posts, product for something on sale, profile for a person, else website. "twitterCard" is summary_large_image where a picture carries the page, else summary.',
        "Say only what the page says: no invented facts, prices, numbers or superlatives. Write in the language of the page.",
        "Plain text alone: no HTML, no entities, no line breaks, no emoji unless the page has them.",
      ],
      task: "Write the metadata of the page in the material.",
      material: { page, address: canonical, "site name": siteName },
    }),
    schema: ANSWER,
    check: findMetaProblems,
  });
  const place = { ...(canonical === undefined ? {} : { canonical }), ...(siteName === undefined ? {} : { siteName }) };
  return { ...trimTexts(meta), ...place, html: renderMeta(trimTexts(meta), place) };
};

function trimTexts({ title, description, keywords, ogTitle, ogDescription, ogType, twitterCard }: SeoMeta): SeoMeta {
  return {
    title: title.trim(),
    description: description.trim(),
    keywords: keywords.map((keyword) => keyword.trim()),
    ogTitle: ogTitle.trim(),
    ogDescription: ogDescription.trim(),
    ogType,
    twitterCard,
  };
}

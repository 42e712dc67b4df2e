import { expect } from "vitest";
import { DESIGN, LIGHT } from "../design-tokens/example-answer.js";
import { DOCUMENT, withPaths } from "../openapi/example-document.js";
import type { ToolCase } from "./tool-case.js";

const REGEX = {
  pattern: "^\\d{4}-\\d{2}$",
  flags: "",
  explanation: "Four digits, a hyphen, two digits.",
  matches: ["2024-05"],
  nonMatches: ["24-5"],
};
const RECORDS = [
  { id: 1, email: "ada@example.com" },
  { id: 2, email: "alan@example.org" },
];
const USER =
  '{"type":"object","properties":{"id":{"type":"integer"},"email":{"type":"string","format":"email"}},"required":["id","email"]}';
const META = {
  title: "Sourdough bread for beginners",
  description:
    "Bake a first loaf of sourdough bread with four ingredients, a simple schedule and pictures of each step.",
  keywords: ["sourdough"],
  ogTitle: "Your first sourdough loaf",
  ogDescription: "Four ingredients, one simple schedule, and a loaf to be proud of.",
  ogType: "article",
  twitterCard: "summary_large_image",
};

/** Tools whose answers are checked by running, validating or measuring them. */
export const MADE_CASES: Readonly<Record<string, ToolCase>> = {
  generate_openapi_spec: {
    args: { input: "GET /pets/{id} gives a pet" },
    good: JSON.stringify(DOCUMENT),
    bad: JSON.stringify(withPaths({ "/pets/{id}": { get: { responses: { "200": { description: "The pet" } } } } })),
    result: DOCUMENT,
  },
  generate_design_tokens: {
    args: { brand: "A calm harbour" },
    good: JSON.stringify(DESIGN),
    bad: JSON.stringify({ ...DESIGN, light: { ...LIGHT, primary: "sea green, more or less" } }),
    result: {
      tokens: expect.objectContaining({ name: "Harbour", color: expect.objectContaining({ light: LIGHT }) }),
      css: expect.stringContaining("--color-primary: #0b6e4f;"),
      tailwind: expect.stringContaining("@theme {"),
      contrast: expect.arrayContaining([expect.objectContaining({ foreground: "text", background: "surface" })]),
    },
  },
  generate_regex: {
    args: { description: "A year and a month, such as 2024-05" },
    good: JSON.stringify(REGEX),
    bad: JSON.stringify({ ...REGEX, pattern: "^\\d{4}$" }),
    result: {
      ...REGEX,
      verified: true,
      verification: expect.stringContaining("2 of 2"),
      checks: [
        { text: "2024-05", expected: "match", outcome: "match", matched: "2024-05" },
        { text: "24-5", expected: "no match", outcome: "no match" },
      ],
    },
  },
  generate_mock_data: {
    args: { schema: USER, count: 2 },
    good: JSON.stringify({ records: RECORDS }),
    bad: JSON.stringify({ records: RECORDS.slice(1) }),
    result: { records: RECORDS, count: 2, validated: expect.any(Boolean) },
  },
  generate_seo_meta: {
    args: { page: "How to bake bread" },
    good: JSON.stringify(META),
    bad: JSON.stringify({ ...META, title: "Bread" }),
    result: { ...META, html: expect.stringContaining("<title>Sourdough bread for beginners</title>") },
  },
};

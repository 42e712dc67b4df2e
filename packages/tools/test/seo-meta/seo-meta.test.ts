import { expect, test } from "vitest";
import { findMetaProblems, readCanonical } from "../../src/seo-meta/check-meta.js";
import { renderMeta, type SeoMeta } from "../../src/seo-meta/render-meta.js";
import { ToolFailure } from "../../src/tool-failure.js";

const META: SeoMeta = {
  title: "Sourdough bread for beginners",
  description:
    "Bake a first loaf of sourdough bread with four ingredients, a simple schedule and pictures of each step.",
  keywords: ["sourdough", "bread recipe"],
  ogTitle: "Your first sourdough loaf",
  ogDescription: "Four ingredients, one simple schedule, and a loaf to be proud of.",
  ogType: "article",
  twitterCard: "summary_large_image",
};

test("finds nothing wrong with fields of the right length", () => {
  expect(findMetaProblems(META)).toBeUndefined();
});

test.each<[string, Partial<SeoMeta>]>([
  ["title", { title: "x".repeat(61) }],
  ["title", { title: "short" }],
  ["description", { description: "Too short to say anything" }],
  ["description", { description: "x".repeat(161) }],
  ["ogTitle", { ogTitle: "Two lines\nof a title" }],
  ["keyword", { keywords: ["one, two"] }],
])("names the %s that does not fit", (field, change) => {
  expect(findMetaProblems({ ...META, ...change })).toContain(field);
});

test("counts characters as people do", () => {
  expect(findMetaProblems({ ...META, title: "👩‍👩‍👧‍👦".repeat(60) })).toBeUndefined();
});

test("escapes every value", () => {
  const hostile = `</title><script>alert("1")</script>&'`;
  const meta = { ...META, title: hostile, description: hostile, keywords: [hostile], ogTitle: hostile };

  const html = renderMeta(meta, { canonical: 'https://example.com/?a="b"&c', siteName: hostile });

  expect(html).not.toContain("<script");
  expect(html).toContain("&lt;/title&gt;&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;");
  expect(html).toContain('<link rel="canonical" href="https://example.com/?a=&quot;b&quot;&amp;c">');
  for (const line of html.split("\n").slice(1))
    expect(line).toMatch(/^<(?:meta|link) [a-z]+="[^"<>]*" [a-z]+="[^"<>]*">$/);
});

test("leaves out what is not known", () => {
  const html = renderMeta({ ...META, keywords: [] }, {});

  expect(html).not.toMatch(/canonical|og:url|og:site_name|keywords/);
});

test("takes an address without its fragment", () => {
  expect(readCanonical("HTTPS://Example.com/a#b")).toBe("https://example.com/a");
});

test.each([
  "javascript:alert(1)",
  "data:text/html,x",
  "//example.com",
  "/path",
  "ftp://example.com",
  "https://u:p@example.com/",
  "",
])("refuses %j as an address", (url) => {
  expect(() => readCanonical(url)).toThrow(ToolFailure);
});

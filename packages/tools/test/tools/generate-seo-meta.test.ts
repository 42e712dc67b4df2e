import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

const META = {
  title: `  Bread & <b>butter</b> for "beginners" `,
  description:
    "Bake a first loaf of sourdough bread with four ingredients, a simple schedule and pictures of each step.",
  keywords: ["bread"],
  ogTitle: "Your first sourdough loaf",
  ogDescription: "Four ingredients, one simple schedule, and a loaf to be proud of.",
  ogType: "article",
  twitterCard: "summary",
};

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => {
  fake.forget();
  fake.script({ text: JSON.stringify(META) });
});

test("renders the fields with the address and the site, all of it escaped", async () => {
  const args = { page: "Bread", url: "https://example.com/bread?a=1&b=2#top", siteName: 'Bake "it"' };

  const called = await callTool("generate_seo_meta", args, { env: fake.env("cohere") });

  expect(called.structured).toMatchObject({
    title: 'Bread & <b>butter</b> for "beginners"',
    canonical: "https://example.com/bread?a=1&b=2",
    siteName: 'Bake "it"',
  });
  const { html } = called.structured as { readonly html: string }; // what the tool's output schema says
  expect(html).toContain("<title>Bread &amp; &lt;b&gt;butter&lt;/b&gt; for &quot;beginners&quot;</title>");
  expect(html).toContain('<link rel="canonical" href="https://example.com/bread?a=1&amp;b=2">');
  expect(html).toContain('<meta property="og:site_name" content="Bake &quot;it&quot;">');
});

test("refuses an address that is not of the web without asking anybody", async () => {
  const args = { page: "Bread", url: "javascript:alert(1)" };

  const called = await callTool("generate_seo_meta", args, { env: fake.env("openai") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("url") });
  expect(fake.requests).toHaveLength(0);
});

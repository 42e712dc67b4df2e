import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DESIGN, LIGHT } from "../design-tokens/example-answer.js";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => {
  fake.forget();
  fake.script({ text: JSON.stringify(DESIGN) });
});

test("takes the brand's color as it is, and makes what stands on it readable", async () => {
  const args = { brand: "A calm harbour", brandColor: "hsl(48, 100%, 50%)" };

  const called = await callTool("generate_design_tokens", args, { env: fake.env("anthropic") });

  expect(called.structured).toMatchObject({
    tokens: { color: { light: { primary: "#ffcc00" } } },
    css: expect.stringContaining("--color-primary: #ffcc00;"),
    contrast: expect.arrayContaining([
      expect.objectContaining({ foreground: "onPrimary", passes: true, changedFrom: LIGHT.onPrimary }),
    ]),
  });
});

test("refuses a brand color that is none without asking anybody", async () => {
  const args = { brand: "A calm harbour", brandColor: "the blue of the sea" };

  const called = await callTool("generate_design_tokens", args, { env: fake.env("openai") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("brandColor") });
  expect(fake.requests).toHaveLength(0);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { callTool } from "./fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "./fake-provider/index.js";

let fake: FakeProvider;

beforeEach(async () => {
  fake = await startFakeProvider();
});

afterEach(() => fake.close());

test("gives what the model says", async () => {
  fake.script({ text: "Four" });

  const called = await callTool("ask_model", { prompt: "Two and two?" }, { env: fake.env("openai") });

  expect(called).toMatchObject({ isError: false, text: "Four" });
});

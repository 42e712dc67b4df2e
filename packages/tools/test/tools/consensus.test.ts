import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import {
  type FakeProvider,
  type FakeReply,
  type FakeRequest,
  fakeKey,
  startFakeProvider,
} from "../fake-provider/index.js";

const PROMPT = { prompt: "Tabs or spaces?" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

/** Answers each provider in its own way, whatever order they come in. */
function scriptEach(replies: Readonly<Record<string, FakeReply>>): void {
  fake.script((request: FakeRequest) => replies[request.path.split("/")[1] ?? ""] ?? {});
}

test("gives the answer of every configured provider, in the order of the table", async () => {
  scriptEach({ gemini: { text: "Spaces" }, openai: { text: "Tabs", delayMs: 50 }, anthropic: { text: "Both" } });

  const called = await callTool("consensus", PROMPT, { env: fake.env("gemini", "anthropic", "openai") });

  expect(called.isError).toBe(false);
  expect(called.structured).toEqual({
    answers: [
      { provider: "openai", model: "gpt-5.5", text: "Tabs" },
      { provider: "anthropic", model: "claude-sonnet-5", text: "Both" },
      { provider: "gemini", model: "gemini-flash-latest", text: "Spaces" },
    ],
  });
  expect(called.content).toHaveLength(3);
  expect(called.text).toMatch(/OpenAI.*Tabs/s);
});

test("asks all of them at once", async () => {
  fake.script({ hang: true });
  const caller = new AbortController();

  const calling = callTool("consensus", PROMPT, { env: fake.env("openai", "groq"), signal: caller.signal });
  calling.catch(() => undefined);
  const asked = [await fake.next(), await fake.next()];
  caller.abort();

  expect(asked.map(({ path }) => path.split("/")[1]).sort()).toEqual(["groq", "openai"]);
  await Promise.all(asked.map(({ hungUp }) => hungUp));
  await calling.catch(() => undefined);
});

test("asks only the providers that are named", async () => {
  fake.script({ text: "Tabs" });

  const called = await callTool(
    "consensus",
    { ...PROMPT, providers: ["mistral", "cohere"] },
    { env: fake.env("openai", "mistral", "cohere") },
  );

  expect(called.structured).toMatchObject({ answers: [{ provider: "mistral" }, { provider: "cohere" }] });
  expect(fake.requests).toHaveLength(2);
});

test("takes one more provider, or one alone, from the argument that every tool has", async () => {
  fake.script({ text: "Tabs" });
  const env = fake.env("openai", "mistral", "cohere");

  const both = await callTool("consensus", { ...PROMPT, providers: ["mistral"], provider: "cohere" }, { env });
  const alone = await callTool("consensus", { ...PROMPT, provider: "cohere" }, { env });

  expect(both.structured).toMatchObject({ answers: [{ provider: "mistral" }, { provider: "cohere" }] });
  expect(alone.structured).toMatchObject({ answers: [{ provider: "cohere" }] });
});

test("gives what it got when one provider fails, with the reason in its place", async () => {
  scriptEach({ openai: { text: "Tabs" }, anthropic: { status: 401, message: `Bad key ${fakeKey("anthropic")}` } });

  const called = await callTool("consensus", PROMPT, { env: fake.env("openai", "anthropic") });

  expect(called.isError).toBe(false);
  expect(called.structured).toEqual({
    answers: [
      { provider: "openai", model: "gpt-5.5", text: "Tabs" },
      { provider: "anthropic", model: "claude-sonnet-5", error: expect.stringContaining("ANTHROPIC_API_KEY") },
    ],
  });
  expect(JSON.stringify(called.content)).toContain("ANTHROPIC_API_KEY");
  expect(JSON.stringify(called)).not.toContain(fakeKey("anthropic"));
});

test("goes on without a named provider that is not configured, and says what it needs", async () => {
  fake.script({ text: "Tabs" });

  const called = await callTool("consensus", { ...PROMPT, providers: ["openai", "groq"] }, { env: fake.env("openai") });

  expect(called.structured).toEqual({
    answers: [
      { provider: "openai", model: "gpt-5.5", text: "Tabs" },
      { provider: "groq", error: expect.stringMatching(/GROQ_API_KEY.*GROQ_MODEL/) },
    ],
  });
});

test("gives the answers that came in time when another provider takes too long", async () => {
  scriptEach({ openai: { text: "Tabs" }, anthropic: { hang: true } });

  const called = await callTool("consensus", PROMPT, { env: fake.env("openai", "anthropic"), timeoutMs: 1000 });

  expect(called.structured).toMatchObject({
    answers: [
      { provider: "openai", text: "Tabs" },
      { provider: "anthropic", error: expect.stringContaining("seconds") },
    ],
  });
});

test("fails when nobody answers, with every reason", async () => {
  scriptEach({ openai: { status: 401 }, anthropic: { finish: "content-filter" } });

  const called = await callTool("consensus", PROMPT, { env: fake.env("openai", "anthropic") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("OPENAI_API_KEY");
  expect(called.text).toContain("content filter");
  expect(called.structured).toBeUndefined();
});

test("names the variables that would do where nothing is configured for text", async () => {
  const called = await callTool("consensus", PROMPT, { env: { STABILITY_API_KEY: "key" } });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("OPENAI_API_KEY") });
});

test("refuses a provider that only makes images", async () => {
  const called = await callTool("consensus", { ...PROMPT, providers: ["stability"] }, { env: fake.env("stability") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("providers") });
});

test("puts the prompt to models as it is", async () => {
  fake.script({ text: "Tabs" });

  await callTool("consensus", PROMPT, { env: fake.env("groq") });

  expect(fake.requests[0]?.body.messages).toEqual([{ role: "user", content: "Tabs or spaces?" }]);
});

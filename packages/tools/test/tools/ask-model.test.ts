import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, fakeKey, startFakeProvider } from "../fake-provider/index.js";

const PROMPT = { prompt: "Two and two?" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test.each(["openai", "anthropic", "gemini", "cohere", "ollama"])("gives what the model of %s says", async (id) => {
  fake.script({ text: "Four.\n\n```js\n2 + 2;\n```" });

  const called = await callTool("ask_model", PROMPT, { env: fake.env(id) });

  expect(called.isError).toBe(false);
  expect(called.content).toEqual([{ type: "text", text: "Four.\n\n```js\n2 + 2;\n```" }]);
});

test("leaves out what the model thought before it answered", async () => {
  fake.script({ text: "<think>\nTwo… and two?\n</think>\n\nFour" });

  const called = await callTool("ask_model", PROMPT, { env: fake.env("ollama") });

  expect(called.text).toBe("Four");
});

test("puts the prompt, the system prompt and the model to the provider as they are", async () => {
  await callTool(
    "ask_model",
    { ...PROMPT, system: "Be brief", model: "grok-x", provider: "xai" },
    { env: fake.env("openai", "xai") },
  );

  expect(fake.requests).toHaveLength(1);
  expect(fake.requests[0]).toMatchObject({
    path: "/xai/v1/chat/completions",
    body: {
      model: "grok-x",
      messages: [
        { role: "system", content: "Be brief" },
        { role: "user", content: "Two and two?" },
      ],
    },
  });
});

test("asks the first configured provider where none is named", async () => {
  await callTool("ask_model", PROMPT, { env: fake.env("groq", "mistral") });

  expect(fake.requests.map(({ path }) => path)).toEqual(["/mistral/v1/chat/completions"]);
});

test("names what is not set where the named provider has no key", async () => {
  const called = await callTool("ask_model", { ...PROMPT, provider: "together" }, { env: fake.env("openai") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("TOGETHER_API_KEY");
  expect(called.text).toContain("TOGETHER_MODEL");
});

test("fails for a provider that does not answer text", async () => {
  const called = await callTool("ask_model", { ...PROMPT, provider: "stability" }, { env: fake.env("stability") });

  expect(called.isError).toBe(true);
  expect(fake.requests).toHaveLength(0);
});

test("does not ask about white space", async () => {
  const called = await callTool("ask_model", { prompt: " \n" }, { env: fake.env("openai") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("prompt") });
  expect(fake.requests).toHaveLength(0);
});

test("tells of an answer that was held back, and of one that was cut off", async () => {
  fake.script({ text: "No", finish: "content-filter" }, { text: "One, two", finish: "length" });
  const env = fake.env("anthropic");

  const heldBack = await callTool("ask_model", PROMPT, { env });
  const cutOff = await callTool("ask_model", PROMPT, { env });

  expect(heldBack).toMatchObject({ isError: true, text: expect.stringContaining("content filter") });
  expect(cutOff).toMatchObject({ isError: true, text: expect.stringContaining("cut off") });
});

test("tells of a model that the provider does not have", async () => {
  fake.script({ status: 404, message: "The model nope does not exist" });

  const called = await callTool("ask_model", { ...PROMPT, model: "nope" }, { env: fake.env("openai") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("nope");
});

test("ends when its time is over", async () => {
  fake.script({ hang: true });

  const called = await callTool("ask_model", PROMPT, { env: fake.env("openai"), timeoutMs: 300 });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("0.3 seconds") });
  expect(JSON.stringify(called)).not.toContain(fakeKey("openai"));
});

test("hangs up on the provider when it is cancelled", async () => {
  fake.script({ hang: true });
  const caller = new AbortController();

  const calling = callTool("ask_model", PROMPT, { env: fake.env("gemini"), signal: caller.signal });
  calling.catch(() => undefined);
  const { hungUp } = await fake.next();
  caller.abort();

  await hungUp;
  await calling.catch(() => undefined);
});

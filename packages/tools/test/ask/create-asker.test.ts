import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@mortise/core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeProvider, fakeKey, startFakeProvider } from "../fake-provider/index.js";
import { askerFor, failureOf } from "./asker-for.js";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { name: { type: "string" } },
  required: ["name"],
  additionalProperties: false,
};

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test("an address of one's own in the place of OpenAI's is spoken to in the older API", async () => {
  const { OPENAI_API: _api, ...env } = fake.env("openai");

  await askerFor(fake, "openai", { env }).ask.text({ prompt: "Hello?" });

  expect(fake.requests).toMatchObject([{ path: "/openai/v1/chat/completions" }]);
});

test("the variable for OpenAI's API has to name one", async () => {
  const env = { ...fake.env("openai"), OPENAI_API: "telex" };

  expect(await failureOf(askerFor(fake, "openai", { env }).ask.text({ prompt: "Hello?" }))).toContain("OPENAI_API");
});

test("a form of answer that the provider refuses is left out, and the log says so", async () => {
  fake.script({ status: 400, message: "response_format is not supported" }, { text: '{"name":"Ann"}' });
  const { ask, told } = askerFor(fake, "groq");

  const answer = await ask.json({ prompt: "Who?", schema: SCHEMA });

  expect(answer).toEqual({ name: "Ann" });
  expect(fake.requests.map(({ body }) => "response_format" in body)).toEqual([true, false]);
  expect(told.log).toHaveLength(1);
});

test("a request that is refused in any form fails with the provider's words", async () => {
  fake.script({ status: 400, message: "Too long" });

  const message = await failureOf(askerFor(fake, "groq").ask.json({ prompt: "Who?", schema: SCHEMA }));

  expect(message).toContain("Too long");
  expect(fake.requests).toHaveLength(2);
});

test("a schema with members of any name is told in words alone", async () => {
  fake.script({ text: '{"any":1}' });

  await askerFor(fake, "openai").ask.json({ prompt: "What?", schema: { type: "object" } });

  expect(fake.requests).toMatchObject([{ schema: undefined, body: { text: { format: { type: "json_object" } } } }]);
});

test("a check may find what a schema cannot say", async () => {
  fake.script({ text: '{"name":"Ann"}' }, { text: '{"name":"Bob"}' });

  const answer = await askerFor(fake, "openai").ask.json<{ name: string }>({
    prompt: "Who?",
    schema: SCHEMA,
    check: ({ name }) => (name === "Ann" ? "Ann has left" : undefined),
  });

  expect(answer).toEqual({ name: "Bob" });
  expect(fake.requests[1]?.text).toContain("Ann has left");
});

test("an answer that is wrong twice is given up with what was wrong", async () => {
  fake.script({ text: "No idea" }, { text: '{"name":1}' });

  const message = await failureOf(askerFor(fake, "openai").ask.json({ prompt: "Who?", schema: SCHEMA }));

  expect(message).toMatch(/asked twice.*name.*string/);
  expect(fake.requests).toHaveLength(2);
});

test("of several values in an answer, the one that fits is taken", async () => {
  fake.script({ text: 'Unlike {"name":1,"more":"of it"} this fits: {"name":"Ann"}' });

  expect(await askerFor(fake, "openai").ask.json({ prompt: "Who?", schema: SCHEMA })).toEqual({ name: "Ann" });
});

test("what a model thought is no part of its answer", async () => {
  fake.script({ text: "<think>\nTwo and two…\n</think>\n\nFour" });

  expect((await askerFor(fake, "ollama").ask.text({ prompt: "Two and two?" })).text).toBe("Four");
});

test("an answer with nothing in it is a failure", async () => {
  fake.script({ text: "<think>Hm</think> \n" });

  expect(await failureOf(askerFor(fake, "ollama").ask.text({ prompt: "Hello?" }))).toContain("empty");
});

test("an answer may be so long and no longer", async () => {
  fake.script({ text: "1234567" });

  const message = await failureOf(askerFor(fake, "mistral", { maxOutputChars: 6 }).ask.text({ prompt: "Count" }));

  expect(message).toContain("at most 6");
});

test("the most tokens of an answer are told to the provider", async () => {
  await askerFor(fake, "mistral", { maxOutputTokens: 5 }).ask.text({ prompt: "Count" });

  expect(fake.requests).toMatchObject([{ body: { max_tokens: 5 } }]);
});

test("money that is used up is not waited for", async () => {
  fake.script({ status: 429, body: '{"error":{"code":"insufficient_quota","message":"You are out of money"}}' });

  const message = await failureOf(askerFor(fake, "openai").ask.text({ prompt: "Hello?" }));

  expect(message).toMatch(/billing.*out of money/);
  expect(fake.requests).toHaveLength(1);
});

test("a connection that breaks is tried again", async () => {
  fake.script({ cut: "body" }, { text: "Four" });

  expect((await askerFor(fake, "openai").ask.text({ prompt: "Two and two?" })).text).toBe("Four");
});

test("a connection that breaks before it answers is tried again", async () => {
  fake.script({ cut: "head" }, { text: "Four" });

  expect((await askerFor(fake, "openai").ask.text({ prompt: "Two and two?" })).text).toBe("Four");
});

test("a model that does not exist is named, with the variables to check", async () => {
  fake.script({ status: 404, message: "No such model" });

  const message = await failureOf(askerFor(fake, "openai").ask.text({ prompt: "Hello?", model: "gpt-0" }));

  expect(message).toMatch(/"gpt-0".*OPENAI_MODEL.*No such model/);
});

test("the words of a provider are cut, and stay on one line", async () => {
  fake.script({ status: 400, message: `Odd\n\u001b[31m${"x".repeat(5000)}` });

  const message = await failureOf(askerFor(fake, "openai").ask.text({ prompt: "Hello?" }));

  expect(message.length).toBeLessThan(500);
  expect(message).not.toContain("\n");
  expect(message).not.toContain("\u001b");
});

test("a redirect is not followed, so that no key goes elsewhere", async () => {
  fake.script({ status: 307, headers: { location: `${fake.url}/anthropic/v1/messages` } });

  const message = await failureOf(askerFor(fake, "anthropic").ask.text({ prompt: "Hello?" }));

  expect(message).toContain("ANTHROPIC_BASE_URL");
  expect(fake.requests).toHaveLength(1);
});

test("a provider that is not there is a failure that says where it was looked for", async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // listens on a port
  await new Promise((resolve) => server.close(resolve));
  const env = { OLLAMA_MODEL: "qwen3", OLLAMA_BASE_URL: url };

  const message = await failureOf(askerFor(fake, "ollama", { env }).ask.text({ prompt: "Hello?" }));

  expect(message).toContain(url);
  expect(message).toContain("is Ollama running?");
});

test("a key that no header can hold is a failure that does not repeat it", async () => {
  const env = { ...fake.env("openai"), OPENAI_API_KEY: `${fakeKey("openai")}\nmore` };

  const message = await failureOf(askerFor(fake, "openai", { env }).ask.text({ prompt: "Hello?" }));

  expect(message).toContain("OPENAI_API_KEY");
  expect(message).not.toContain(fakeKey("openai"));
});

test("a caller that has given up asks nobody", async () => {
  const signal = AbortSignal.abort(new Error("Gave up"));

  await expect(askerFor(fake, "openai", { signal }).ask.text({ prompt: "Hello?" })).rejects.toThrow("Gave up");
  expect(fake.requests).toEqual([]);
});

test("a wait ends when the caller gives up", async () => {
  fake.script({ status: 429, headers: { "retry-after": "60" } });
  const giveUp = new AbortController();

  const asking = askerFor(fake, "openai", {
    signal: giveUp.signal,
    onProgress: (message) => message.includes("60 s") && giveUp.abort(new Error("Gave up")),
  }).ask.text({ prompt: "Hello?" });

  await expect(asking).rejects.toThrow("Gave up");
});

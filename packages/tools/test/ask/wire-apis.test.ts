import type { JsonObject } from "@mortise/core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type FakeProvider, type FakeRequest, fakeKey, startFakeProvider } from "../fake-provider/index.js";
import { askerFor, failureOf } from "./asker-for.js";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, size: { type: "integer", minimum: 1 } },
  required: ["name"],
  additionalProperties: false,
};

/** What providers are told of it. */
const TOLD = {
  type: "object",
  properties: {
    name: { type: "string" },
    size: { anyOf: [{ type: "integer", description: "(minimum: 1)" }, { type: "null" }] },
  },
  required: ["name", "size"],
  additionalProperties: false,
};

/** How each provider is asked: where, with which header, and how the request says what was asked. */
const APIS: Readonly<Record<string, { path: string; header: string; body: JsonObject; schema: unknown }>> = {
  openai: {
    path: "/openai/v1/responses",
    header: "authorization",
    body: {
      model: "some-model",
      max_output_tokens: 16_000,
      store: false,
      input: [
        { role: "system", content: "Be brief" },
        { role: "user", content: [{ type: "input_text", text: "Two and two?" }] },
      ],
    },
    schema: TOLD,
  },
  anthropic: {
    path: "/anthropic/v1/messages",
    header: "x-api-key",
    body: {
      model: "some-model",
      max_tokens: 16_000,
      system: [{ type: "text", text: "Be brief" }],
      messages: [{ role: "user", content: [{ type: "text", text: "Two and two?" }] }],
    },
    schema: TOLD,
  },
  gemini: {
    path: "/gemini/v1/models/some-model:generateContent",
    header: "x-goog-api-key",
    body: {
      generationConfig: { maxOutputTokens: 16_000 },
      systemInstruction: { parts: [{ text: "Be brief" }] },
      contents: [{ role: "user", parts: [{ text: "Two and two?" }] }],
    },
    schema: {
      type: "object",
      properties: {
        name: { type: "string" },
        size: { type: "integer", description: "(minimum: 1)", nullable: true },
      },
      required: ["name", "size"],
    },
  },
  mistral: chat("mistral", TOLD),
  cohere: { ...chat("cohere", TOLD), path: "/cohere/v1/chat" },
  nvidia: chat("nvidia", TOLD),
  openrouter: chat("openrouter", TOLD),
  deepseek: chat("deepseek", undefined),
  groq: chat("groq", TOLD),
  xai: chat("xai", TOLD),
  together: chat("together", undefined),
  ollama: chat("ollama", TOLD),
};

function chat(id: string, schema: unknown): { path: string; header: string; body: JsonObject; schema: unknown } {
  return {
    path: `/${id}/v1/chat/completions`,
    header: "authorization",
    body: { model: "some-model", messages: [{ role: "system", content: "Be brief" }, { role: "user" }] },
    schema,
  };
}

const QUESTION = { system: "Be brief", prompt: "Two and two?", model: "some-model" };
/** Makes calls that may be repeated do so at once. */
const AT_ONCE = { "retry-after-ms": "1" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

function lastRequest(): FakeRequest {
  const request = fake.requests.at(-1);
  if (request === undefined) throw new Error("Expected a request, received none");
  return request;
}

describe.each(Object.entries(APIS))("%s", (id, api) => {
  const secret = fakeKey(id);

  test("is asked where and how its documentation says", async () => {
    fake.script({ text: "Four" });

    const answer = await askerFor(fake, id).ask.text(QUESTION);

    expect(answer).toEqual({ text: "Four", model: "some-model" });
    const { path, headers, body, text } = lastRequest();
    expect(path).toBe(api.path);
    expect(headers.get(api.header)?.replace("Bearer ", "")).toBe(id === "ollama" ? undefined : secret);
    expect(body).toMatchObject(api.body);
    expect(text).toContain("Two and two?");
  });

  test("takes the schema of an answer along, in words and in its own way", async () => {
    fake.script({ text: '{"name":"Ann","size":null}' });

    const answer = await askerFor(fake, id).ask.json({ ...QUESTION, schema: SCHEMA });

    expect(answer).toEqual({ name: "Ann" });
    expect(JSON.stringify(lastRequest().body)).toContain(JSON.stringify(JSON.stringify(SCHEMA)).slice(1, -1));
    expect(lastRequest().schema).toEqual(api.schema);
  });

  test("may put JSON into a fence after what it thought", async () => {
    fake.script({ text: '<think>{"name": 1}?</think>\nHere it is:\n```json\n{ "name": "Ann" }\n```\nGood luck!' });

    const answer = await askerFor(fake, id).ask.json({ ...QUESTION, schema: SCHEMA });

    expect(answer).toEqual({ name: "Ann" });
  });

  test("is asked once more for JSON that does not fit, with what was wrong", async () => {
    fake.script({ text: '{"name":1}' }, { text: '{"name":"Ann"}' });

    const answer = await askerFor(fake, id).ask.json({ ...QUESTION, schema: SCHEMA });

    expect(answer).toEqual({ name: "Ann" });
    expect(fake.requests).toHaveLength(2);
    expect(lastRequest().text).toContain(String.raw`{\"name\":1}`);
    expect(lastRequest().text).toContain("cannot be used");
  });

  test("has its say about a refused key without showing it", async () => {
    fake.script({ status: 401, message: `Incorrect API key provided: ${secret}` });
    const { ask, told } = askerFor(fake, id);

    const message = await failureOf(ask.text(QUESTION));

    expect(message).toContain(id === "ollama" ? "OLLAMA_BASE_URL" : `${id.toUpperCase()}_API_KEY`);
    expect(message + told.log.join() + told.progress.join()).not.toContain(secret);
    expect(fake.requests).toHaveLength(1);
  });

  test("is asked again after too many requests", async () => {
    fake.script({ status: 429, message: "Slow down", headers: AT_ONCE }, { text: "Four" });
    const { ask, told } = askerFor(fake, id);

    const answer = await ask.text(QUESTION);

    expect(answer.text).toBe("Four");
    expect(told.log).toHaveLength(1);
  });

  test("is given up at once when it wants to be left alone for longer than there is time", async () => {
    fake.script({ status: 429, message: "Slow down", headers: { "retry-after": "90" } });

    const message = await failureOf(askerFor(fake, id, { deadline: performance.now() + 60_000 }).ask.text(QUESTION));

    expect(message).toContain("90 seconds");
    expect(message).toContain("Slow down");
    expect(fake.requests).toHaveLength(1);
  });

  test("is given up after it failed three times", async () => {
    fake.script({ status: 500, message: "Oops", headers: AT_ONCE });

    const message = await failureOf(askerFor(fake, id).ask.text(QUESTION));

    expect(message).toMatch(/500.*Oops/);
    expect(fake.requests).toHaveLength(3);
  });

  test("may hold an answer back", async () => {
    fake.script({ text: "Never mi", finish: "content-filter" });

    const message = await failureOf(askerFor(fake, id).ask.text(QUESTION));

    expect(message).toContain("content filter");
  });

  test("may run out of tokens, which is no answer", async () => {
    fake.script({ text: '{"name":', finish: "length" });

    const message = await failureOf(askerFor(fake, id).ask.json({ ...QUESTION, schema: SCHEMA }));

    expect(message).toContain("cut off");
    expect(fake.requests).toHaveLength(1);
  });

  test("may break off in the middle of an answer", async () => {
    fake.script({ cut: "body" });

    const message = await failureOf(askerFor(fake, id, { deadline: 0 }).ask.text(QUESTION));

    expect(message).toContain(fake.url);
  });

  test("may answer what is not its API", async () => {
    fake.script({ body: "<html>Welcome</html>", headers: { "content-type": "text/html" } });

    const message = await failureOf(askerFor(fake, id).ask.text(QUESTION));

    expect(message).toContain(`${id.toUpperCase()}_BASE_URL`);
    expect(fake.requests).toHaveLength(1);
  });

  test("sees the connection close when the caller gives up", async () => {
    fake.script({ hang: true });
    const giveUp = new AbortController();
    const reason = new Error("Gave up");

    const asking = askerFor(fake, id, { signal: giveUp.signal }).ask.text(QUESTION);
    asking.catch(() => undefined);
    const request = await fake.next();
    giveUp.abort(reason);

    await expect(asking).rejects.toBe(reason);
    await request.hungUp;
  });
});

test.each(Object.keys(APIS).filter((id) => id !== "ollama"))(
  "the key of %s is kept out of the provider's own words",
  async (id) => {
    fake.script({ status: 400, message: `Odd request with ${fakeKey(id)}` });

    const message = await failureOf(askerFor(fake, id).ask.text(QUESTION));

    expect(message).toContain("Odd request with …");
  },
);

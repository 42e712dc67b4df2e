import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";
import { DOCUMENT } from "../openapi/example-document.js";

const INPUT = { input: "GET /pets/{id} gives a pet" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => {
  fake.forget();
  fake.script({ text: JSON.stringify(DOCUMENT) });
});

test("gives the document as text, too", async () => {
  const called = await callTool("generate_openapi_spec", INPUT, { env: fake.env("gemini") });

  expect(JSON.parse(called.text)).toEqual(called.structured);
});

test("sets the title and the base path that the call names", async () => {
  const args = { ...INPUT, title: "Pet shop", basePath: "/api/v1/" };

  const called = await callTool("generate_openapi_spec", args, { env: fake.env("mistral") });

  expect(called.structured).toMatchObject({
    info: { title: "Pet shop", version: "1.0.0" },
    servers: [{ url: "/api/v1" }],
  });
});

test.each(["javascript:alert(1)", "//example.com", "api", "/a b"])(
  "refuses %j as a base path without asking anybody",
  async (basePath) => {
    const called = await callTool("generate_openapi_spec", { ...INPUT, basePath }, { env: fake.env("openai") });

    expect(called).toMatchObject({ isError: true, text: expect.stringContaining("basePath") });
    expect(fake.requests).toHaveLength(0);
  },
);

test("never gives a document that refers to another one", async () => {
  fake.script({ text: JSON.stringify({ ...DOCUMENT, paths: { "/a": { $ref: `${fake.url}/a.json` } } }) });

  const called = await callTool("generate_openapi_spec", INPUT, { env: fake.env("groq") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("a.json") });
  expect(fake.requests.map(({ path }) => path)).toEqual(["/groq/v1/chat/completions", "/groq/v1/chat/completions"]);
});

import type { JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { addProviderTools, describeProviders, TOOL_NAMES } from "../src/index.js";
import { callTool } from "./fake-provider/call-tool.js";
import { type FakeProvider, fakeKey, startFakeProvider } from "./fake-provider/index.js";

const PROMPT = { prompt: "Two and two?" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

function createServer(options: Partial<Parameters<typeof addProviderTools>[1]> = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1.0.0" });
  addProviderTools(server, { env: {}, ...options });
  return server;
}

function callMessage(args: JsonObject, meta: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ask_model", arguments: args, _meta: meta } };
}

test("a call goes to the first provider that is configured", async () => {
  await callTool("ask_model", PROMPT, { env: fake.env("mistral", "groq") });

  expect(fake.requests).toMatchObject([{ path: "/mistral/v1/chat/completions" }]);
});

test("a call may name a provider", async () => {
  await callTool("ask_model", { ...PROMPT, provider: "groq" }, { env: fake.env("mistral", "groq") });

  expect(fake.requests).toMatchObject([{ path: "/groq/v1/chat/completions" }]);
});

test("the server may prefer a provider", async () => {
  await callTool("ask_model", PROMPT, { env: fake.env("mistral", "groq"), provider: "groq" });

  expect(fake.requests).toMatchObject([{ path: "/groq/v1/chat/completions" }]);
});

test("a call without any provider is told which variables to set", async () => {
  const called = await callTool("ask_model", PROMPT, { env: {} });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("OPENAI_API_KEY");
  expect(called.text).toContain("GROQ_API_KEY with GROQ_MODEL");
  expect(called.text).toContain("OLLAMA_MODEL");
});

test("a call of a provider that is not configured is told which variable to set", async () => {
  const called = await callTool("ask_model", { ...PROMPT, provider: "gemini" }, { env: fake.env("mistral") });

  expect(called).toMatchObject({ isError: true });
  expect(called.text).toContain("GEMINI_API_KEY");
  expect(fake.requests).toEqual([]);
});

test("a provider that does not exist is an invalid argument", async () => {
  const called = await callTool("ask_model", { ...PROMPT, provider: "hal" }, { env: fake.env("mistral") });

  expect(called).toMatchObject({ isError: true });
  expect(called.text).toContain("provider");
});

test("a failure of a provider's is a result with an error", async () => {
  fake.script({ status: 401 });

  expect(await callTool("ask_model", PROMPT, { env: fake.env("mistral") })).toMatchObject({ isError: true });
});

test("a call ends with its time, and so does the connection to the provider", async () => {
  fake.script({}, { hang: true });

  // The library is loaded before, so that the time is spent on the provider.
  await callTool("ask_model", PROMPT, { env: fake.env("groq") });
  const called = await callTool("ask_model", PROMPT, { env: fake.env("groq"), timeoutMs: 300 });

  expect(called).toMatchObject({ isError: true });
  expect(called.text).toContain("0.3 seconds");
  await fake.requests.at(-1)?.hungUp;
});

test("a cancelled call closes the connection to the provider", async () => {
  fake.script({ hang: true });
  const cancel = new AbortController();

  const calling = createServer({ env: fake.env("groq") }).handle(callMessage(PROMPT), { signal: cancel.signal });
  const request = await fake.next();
  cancel.abort();

  expect(await calling).toBeNull();
  await request.hungUp;
});

test("a caller that asked for progress is told what is done, and that it goes on", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    fake.script(() => {
      vi.advanceTimersByTime(11_000);
      return {};
    });
    const told: JsonObject[] = [];

    await createServer({ env: fake.env("groq") }).handle(callMessage(PROMPT, { progressToken: 7 }), {
      send: (notice) => void told.push(notice.params as JsonObject), // what progress always has
    });

    expect(told.map(({ message }) => message)).toEqual([
      expect.stringContaining("Asking Groq (groq-model)"),
      expect.stringContaining("Asking Groq (groq-model) ("),
      expect.stringContaining("Asking Groq (groq-model) ("),
    ]);
  } finally {
    vi.useRealTimers();
  }
});

test("a caller that did not ask for progress is told nothing", async () => {
  const told: unknown[] = [];

  await createServer({ env: fake.env("groq") }).handle(callMessage(PROMPT), {
    send: (notice) => void told.push(notice),
  });

  expect(told).toEqual([]);
});

test("every tool takes a provider", () => {
  const without = createServer()
    .getToolDefinitions()
    .filter(({ inputSchema }) => !JSON.stringify(inputSchema).includes('"provider":{'));

  expect(without).toEqual([]);
});

test("tools can be picked by name", () => {
  const names = createServer({ only: ["ask_model"] })
    .getToolDefinitions()
    .map(({ name }) => name);

  expect(names).toEqual(["ask_model"]);
  expect(TOOL_NAMES).toContain("ask_model");
});

test.each([
  { only: ["ask_oracle"] },
  { provider: "hal" },
  { timeoutMs: 0 },
  { timeoutMs: Number.NaN },
  { timeoutMs: 1e10 },
])("refuses the options %j", (options) => {
  expect(() => createServer(options)).toThrow(RangeError);
});

test("a description of the providers says what is there and what is missing, and no key", () => {
  const described = describeProviders(fake.env("mistral"));

  expect(described).toHaveLength(13);
  expect(described.find(({ id }) => id === "mistral")).toMatchObject({ configured: true, missing: [] });
  expect(described.find(({ id }) => id === "groq")).toMatchObject({
    configured: false,
    missing: ["GROQ_API_KEY", "GROQ_MODEL"],
  });
  expect(JSON.stringify(described)).not.toContain(fakeKey("mistral"));
});

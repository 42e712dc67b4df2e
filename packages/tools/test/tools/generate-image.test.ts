import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, fakeKey, PNG, startFakeProvider } from "../fake-provider/index.js";

const PROMPT = { prompt: "A lighthouse at night" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test.each(["openai", "xai", "together", "stability"])(
  "gives the image that %s makes, and says what it is",
  async (id) => {
    const called = await callTool("generate_image", PROMPT, { env: fake.env(id) });

    expect(called.isError).toBe(false);
    expect(called.content).toEqual([
      { type: "image", data: PNG, mimeType: "image/png" },
      { type: "text", text: expect.stringContaining("1x1") },
    ]);
    expect(fake.requests[0]?.text).toContain(PROMPT.prompt);
  },
);

test("asks for the nearest size that the model makes, and says so", async () => {
  const called = await callTool("generate_image", { ...PROMPT, size: "1920x1080" }, { env: fake.env("openai") });

  expect(fake.requests[0]?.body).toMatchObject({ size: "1536x1024" });
  expect(called.content[1]?.text).toContain("1920x1080");
});

test("gives Stability the shape of the size", async () => {
  await callTool("generate_image", { ...PROMPT, size: "1920x1080" }, { env: fake.env("stability") });

  expect(fake.requests[0]?.text).toMatch(/aspect_ratio[\s\S]*16:9/);
});

test.each(["1024", "1024x", "0x0", "large", "99999x1"])("refuses the size %j", async (size) => {
  const called = await callTool("generate_image", { ...PROMPT, size }, { env: fake.env("openai") });

  expect(called.isError).toBe(true);
  expect(fake.requests).toHaveLength(0);
});

test("asks the provider that the call names", async () => {
  await callTool("generate_image", { ...PROMPT, provider: "stability" }, { env: fake.env("openai", "stability") });

  expect(fake.requests.map(({ api }) => api)).toEqual(["Stability"]);
});

test("finds the provider that makes images where the first one does not", async () => {
  await callTool("generate_image", PROMPT, { env: fake.env("anthropic", "stability") });

  expect(fake.requests.map(({ api }) => api)).toEqual(["Stability"]);
});

test("names what is not set where the named provider has no key", async () => {
  const called = await callTool("generate_image", { ...PROMPT, provider: "stability" }, { env: fake.env("openai") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("STABILITY_API_KEY") });
  expect(fake.requests).toHaveLength(0);
});

test("names the variables that would do where no provider makes images", async () => {
  const called = await callTool("generate_image", PROMPT, { env: fake.env("anthropic") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("OPENAI_API_KEY");
  expect(called.text).toContain("STABILITY_API_KEY");
});

test.each(["openai", "stability"])("does not pass off as an image what %s gives otherwise", async (id) => {
  fake.script({ image: Buffer.from("<html>no image</html>").toString("base64") });

  const called = await callTool("generate_image", PROMPT, { env: fake.env(id) });

  expect(called.isError).toBe(true);
  expect(called.content).toHaveLength(1);
});

test("tells that the content filter refused", async () => {
  fake.script({ finish: "content-filter" });

  const called = await callTool("generate_image", PROMPT, { env: fake.env("stability") });

  expect(called).toMatchObject({ isError: true, text: expect.stringMatching(/filter/i) });
});

test("tells of a refused key without showing it", async () => {
  fake.script({ status: 401, message: `Bad key ${fakeKey("stability")}` });

  const called = await callTool("generate_image", PROMPT, { env: fake.env("stability") });

  expect(called).toMatchObject({ isError: true, text: expect.stringContaining("STABILITY_API_KEY") });
  expect(called.text).not.toContain(fakeKey("stability"));
});

test.each(["openai", "stability"])("hangs up on %s when it is cancelled", async (id) => {
  fake.script({ hang: true });
  const caller = new AbortController();

  const calling = callTool("generate_image", PROMPT, { env: fake.env(id), signal: caller.signal });
  calling.catch(() => undefined);
  const { hungUp } = await fake.next();
  caller.abort();

  await hungUp;
  await calling.catch(() => undefined);
});

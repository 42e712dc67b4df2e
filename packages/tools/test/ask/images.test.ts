import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeProvider, fakeKey, PNG, startFakeProvider } from "../fake-provider/index.js";
import { askerFor, failureOf } from "./asker-for.js";

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test.each([
  ["openai", "/openai/v1/images/generations", { model: "gpt-image-2", n: 1, size: "1024x1024" }],
  ["xai", "/xai/v1/images/generations", { model: "grok-imagine-image", n: 1 }],
  ["together", "/together/v1/images/generations", { model: "black-forest-labs/FLUX.1-schnell", width: 1024 }],
])("%s makes a picture", async (id, path, body) => {
  const answer = await askerFor(fake, id).ask.image({ prompt: "A red fox", size: "1024x1024" });

  expect(answer).toMatchObject({ data: PNG, mimeType: "image/png" });
  expect(fake.requests).toMatchObject([{ path, body: { prompt: "A red fox", ...body } }]);
});

test("Stability makes a picture of the shape nearest to the size, and says so", async () => {
  const { ask, told } = askerFor(fake, "stability");

  const answer = await ask.image({ prompt: "A red fox", size: "1792x1024", model: "ultra" });

  expect(answer).toEqual({ data: PNG, mimeType: "image/png", model: "ultra" });
  const [request] = fake.requests;
  expect(request?.path).toBe("/stability/v2beta/stable-image/generate/ultra");
  expect(request?.headers.get("accept")).toBe("application/json");
  expect(request?.headers.get("authorization")).toBe(`Bearer ${fakeKey("stability")}`);
  expect(request?.text).toMatch(/name="prompt"\s+A red fox/);
  expect(request?.text).toMatch(/name="aspect_ratio"\s+16:9/);
  expect(request?.text).toMatch(/name="output_format"\s+png/);
  expect(told.log).toEqual([expect.stringContaining("16:9")]);
});

test.each([
  ["1024x1024", "1:1"],
  ["1024x1536", "2:3"],
  ["2560x1080", "21:9"],
])("Stability takes %s for %s", async (size, ratio) => {
  await askerFor(fake, "stability").ask.image({ prompt: "A red fox", size });

  expect(fake.requests[0]?.text).toMatch(new RegExp(`name="aspect_ratio"\\s+${ratio}\\r`));
});

test.each(["openai", "stability"])("%s may refuse the key", async (id) => {
  fake.script({ status: 401, message: `Not ${fakeKey(id)}` });

  const message = await failureOf(askerFor(fake, id).ask.image({ prompt: "A red fox" }));

  expect(message).toContain(`${id.toUpperCase()}_API_KEY`);
  expect(message).not.toContain(fakeKey(id));
});

test.each<readonly [string, object]>([
  ["openai", { status: 400, body: '{"error":{"code":"moderation_blocked","message":"No"}}' }],
  ["xai", { body: '{"data":[{"b64_json":"","respect_moderation":false}]}' }],
  ["stability", { finish: "content-filter" }],
  ["stability", { status: 403, body: '{"id":"1","name":"content_moderation","errors":["No"]}' }],
])("%s may hold a picture back", async (id, reply) => {
  fake.script(reply);

  const message = await failureOf(askerFor(fake, id).ask.image({ prompt: "A red fox" }));

  expect(message).toContain("content filter");
  expect(fake.requests).toHaveLength(1);
});

test.each(["openai", "stability"])("%s may fail and be asked again", async (id) => {
  fake.script({ status: 503, headers: { "retry-after-ms": "1" } }, {});

  const answer = await askerFor(fake, id).ask.image({ prompt: "A red fox" });

  expect(answer.data).toBe(PNG);
});

test.each(["openai", "stability"])("what %s gives has to be a picture", async (id) => {
  fake.script({ image: "bm8gcGljdHVyZQ==" });

  expect(await failureOf(askerFor(fake, id).ask.image({ prompt: "A red fox" }))).toContain("no image");
});

test.each(["openai", "stability"])("%s may answer what is not its API", async (id) => {
  fake.script({ body: "<html>Welcome</html>" });

  const message = await failureOf(askerFor(fake, id).ask.image({ prompt: "A red fox" }));

  expect(message).toContain(`${id.toUpperCase()}_BASE_URL`);
});

test.each(["openai", "stability"])("%s sees the connection close when the caller gives up", async (id) => {
  fake.script({ hang: true });
  const giveUp = new AbortController();

  const asking = askerFor(fake, id, { signal: giveUp.signal }).ask.image({ prompt: "A red fox" });
  asking.catch(() => undefined);
  const request = await fake.next();
  giveUp.abort(new Error("Gave up"));

  await expect(asking).rejects.toThrow("Gave up");
  await request.hungUp;
});

test("a provider that makes no pictures says so", async () => {
  expect(await failureOf(askerFor(fake, "anthropic").ask.image({ prompt: "A red fox" }))).toContain("no images");
});

test("a provider that only makes pictures answers no questions", async () => {
  expect(await failureOf(askerFor(fake, "stability").ask.text({ prompt: "Hello?" }))).toContain("only makes images");
});

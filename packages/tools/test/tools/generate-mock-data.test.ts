import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

const SCHEMA = {
  type: "object",
  properties: { id: { type: "integer" }, born: { type: "string", format: "date" } },
  required: ["id", "born"],
};
const RECORD = { id: 1, born: "1990-12-31" };

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

function say(records: readonly unknown[]): { readonly text: string } {
  return { text: JSON.stringify({ records }) };
}

test("makes ten records unless the call says how many", async () => {
  fake.script(say(Array.from({ length: 10 }, (_, index) => ({ ...RECORD, id: index }))));

  const called = await callTool("generate_mock_data", { schema: SCHEMA }, { env: fake.env("gemini") });

  expect(called.structured).toMatchObject({ count: 10, validated: true });
});

test("tells the model which record is wrong, and asks again", async () => {
  fake.script(say([{ id: 1, born: "31.12.1990" }]), say([RECORD]));

  const called = await callTool("generate_mock_data", { schema: SCHEMA, count: 1 }, { env: fake.env("openai") });

  expect(called.structured).toEqual({ records: [RECORD], count: 1, validated: true });
  expect(fake.requests[1]?.text).toContain("records[0].born");
});

test("gives up on records that are wrong again", async () => {
  fake.script(say([{ id: "1", born: "1990-12-31" }]));

  const called = await callTool("generate_mock_data", { schema: SCHEMA, count: 1 }, { env: fake.env("cohere") });

  expect(called.isError).toBe(true);
  expect(called.text).toContain("records[0].id");
});

test("follows another description of records, and says that nothing was validated", async () => {
  fake.script(say([RECORD]));

  const called = await callTool(
    "generate_mock_data",
    { schema: "interface User { id: number; born: string }", count: 1 },
    { env: fake.env("mistral") },
  );

  expect(called.structured).toEqual({ records: [RECORD], count: 1, validated: false });
});

test.each([
  ["an unsafe pattern", { schema: { type: "object", properties: { id: { type: "string", pattern: "^(a+)+$" } } } }],
  ["a schema from elsewhere", { schema: { $ref: "https://example.com/user.json" } }],
  ["too many records", { schema: SCHEMA, count: 101 }],
  ["no record at all", { schema: SCHEMA, count: 0 }],
])("refuses %s without asking anybody", async (_what, args) => {
  const called = await callTool("generate_mock_data", args, { env: fake.env("openai") });

  expect(called.isError).toBe(true);
  expect(fake.requests).toHaveLength(0);
});

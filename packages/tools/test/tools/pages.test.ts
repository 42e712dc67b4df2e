import { readdirSync, readFileSync } from "node:fs";
import { isObject, type JsonObject } from "@mortise/core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Called, callTool } from "../fake-provider/call-tool.js";
import { type FakeProvider, startFakeProvider } from "../fake-provider/index.js";

const FOLDER = new URL("../../../../docs/tools/", import.meta.url);

/** A block of a page whose first line says which part of a call it shows, such as "json result contrast". */
interface Part {
  readonly kind: string;
  /** The member of the structured content that it shows. */
  readonly member: string | undefined;
  readonly text: string;
}

/** The pages that show a call. */
const PAGES = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".md"))
  .map(
    (file) =>
      [
        file.slice(0, -".md".length).replaceAll("-", "_"),
        listParts(readFileSync(new URL(file, FOLDER), "utf8")),
      ] as const,
  )
  .filter(([, parts]) => parts.some(({ kind }) => kind === "call"));

let fake: FakeProvider;

beforeAll(async () => {
  fake = await startFakeProvider();
});

afterAll(() => fake.close());

beforeEach(() => fake.forget());

test.each(PAGES)("the page of %s shows what happens", async (name, parts) => {
  const [call] = select(parts, "call");
  const results = select(parts, "result");
  const said = select(parts, "model");
  // A page without an answer of the model's shows one that is passed on.
  const answers = (said.length > 0 ? said : results).map(({ text }) => ({ text: text.trimEnd() }));
  fake.script(...answers);

  const called = await callTool(name, parseObject(call?.text ?? ""), { env: fake.env("openai") });

  expect(called.isError).toBe(false);
  expect(fake.requests).toHaveLength(answers.length);
  for (const part of results) expectShown(part, called.structured ?? readResult(called));
});

/** The text of a result that is text alone, else its blocks. */
function readResult({ content, text }: Called): unknown {
  return content.length === 1 && content[0]?.type === "text" ? text : content;
}

function listParts(page: string): Part[] {
  return [...page.matchAll(/^```\w+ (call|model|result)(?: (\w+))?\n([\s\S]*?)^```$/gm)].map(
    ([, kind = "", member, text = ""]) => ({ kind, member, text }),
  );
}

function select(parts: readonly Part[], kind: string): Part[] {
  return parts.filter((part) => part.kind === kind);
}

function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error("Expected a page to show arguments as an object");
  return value;
}

/** Text is shown whole; of a list, a page may show a part. */
function expectShown({ member, text }: Part, result: unknown): void {
  const value = member !== undefined && isObject(result) ? result[member] : result;
  if (typeof value === "string") expect(text.trimEnd()).toBe(value);
  else expect(value).toEqual(member === undefined ? JSON.parse(text) : expect.arrayContaining(JSON.parse(text)));
}

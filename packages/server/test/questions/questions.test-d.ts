import {
  type FormAnswer,
  type HandlerContext,
  inputRequired,
  MCPServer,
  type RootsAnswer,
  type SampleAnswer,
  type UrlAnswer,
} from "@mortise/server";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";

declare const context: HandlerContext;
const MESSAGES = [{ role: "user", content: { type: "text", text: "Hi" } }] as const;

test("the content of a form has the type that its schema makes", () => {
  const schema = z.object({ name: z.string(), age: z.coerce.number().default(1) });

  expectTypeOf(context.elicit({ message: "?", schema })).resolves.toEqualTypeOf<
    FormAnswer<{ name: string; age: number }>
  >();
});

test("the content of a form has the type that plain JSON Schema says", () => {
  const answer = context.elicit({
    message: "?",
    schema: { type: "object", properties: { ok: { type: "boolean" }, pick: { enum: ["a", "b"] } }, required: ["ok"] },
  });

  expectTypeOf(answer).resolves.toEqualTypeOf<FormAnswer<{ ok: boolean; pick?: "a" | "b" }>>();
});

test("a page has no content", () => {
  expectTypeOf(context.elicit({ message: "?", url: "https://a.example" })).resolves.toEqualTypeOf<UrlAnswer>();
});

test("several questions have an answer each", () => {
  const answers = context.ask({
    name: { elicit: { message: "?", schema: z.object({ name: z.string() }) } },
    page: { elicit: { message: "?", url: "https://a.example" } },
    draft: { sample: { messages: MESSAGES, maxTokens: 1 } },
    where: { roots: {} },
  });

  expectTypeOf(answers).resolves.toEqualTypeOf<{
    name: FormAnswer<{ name: string }>;
    page: UrlAnswer;
    draft: SampleAnswer;
    where: RootsAnswer;
  }>();
});

test("once gives what its work gave", () => {
  expectTypeOf(context.once("a", async () => 5)).resolves.toEqualTypeOf<number>();
});

test("a question is one of those there are", () => {
  // @ts-expect-error a form has a schema, a page an address
  void context.elicit({ message: "?" });
  // @ts-expect-error tokens are limited
  void context.sample({ messages: MESSAGES });
  // @ts-expect-error there is no such question
  void context.ask({ name: { confirm: {} } });
});

test("a handler with an output schema may ask by returning", () => {
  const server = new MCPServer({ name: "a", version: "1" });
  server.tool("t", { output: z.object({ n: z.number() }) }, (_, { inputResponses }) =>
    inputResponses.where === undefined ? inputRequired({ inputRequests: { where: { roots: {} } } }) : { n: 1 },
  );
});

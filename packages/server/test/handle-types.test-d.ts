import {
  type InputResponse,
  MCPServer,
  type PromptHandle,
  type ResourceHandle,
  type SampleBlock,
  type ToolHandle,
} from "@mortise/server";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";

const server = new MCPServer({ name: "test", version: "1" });
const COUNT = z.object({ count: z.number() });

test("another handler of a tool has the types that the tool was registered with", () => {
  const tool = server.tool("t", { input: COUNT, output: COUNT }, (args) => args);

  tool.update({
    handler(args) {
      expectTypeOf(args).toEqualTypeOf<{ count: number }>();
      return args;
    },
  });
  // @ts-expect-error the output has a count
  tool.update({ handler: () => "text" });
});

test("what a tool returns keeps its literals, also where the handler takes no arguments", () => {
  const verdict = z.union([z.object({ ok: z.literal(true) }), z.object({ ok: z.literal(false), why: z.string() })]);

  const tool = server.tool("t", { output: verdict }, async () =>
    server.closed ? { ok: true } : { ok: false, why: "x" },
  );
  server.tool("u", { output: COUNT }, () => ({ content: [{ type: "text", text: "Too many" }], isError: true }));
  tool.update({ handler: () => ({ ok: true }) });
});

test("another handler of a tool has the types of the schema that comes with it", () => {
  const tool = server.tool("t", { input: COUNT }, () => "x");

  tool.update({
    input: z.object({ name: z.string() }),
    handler(args) {
      expectTypeOf(args).toEqualTypeOf<{ name: string }>();
      return args.name;
    },
  });
});

test("another handler of a prompt has the types of its arguments", () => {
  const prompt = server.prompt("p", { input: [{ name: "a", required: true }] }, ({ a }) => a);

  prompt.update({ handler: ({ a }) => a.trim() });
  prompt.update({ input: COUNT, handler: ({ count }) => count.toFixed() });
});

test("another handler of a template has its variables", () => {
  const notes = server.resource("x://{id}", {}, ({ params }) => params.id);

  notes.update({ read: ({ params }) => params.id.trim() });
});

test("handles of different things can be kept together", () => {
  expectTypeOf(server.tool("t", { input: COUNT }, () => "x")).toExtend<ToolHandle>();
  expectTypeOf(server.prompt("p", { input: COUNT }, () => "x")).toExtend<PromptHandle>();
  expectTypeOf(server.resource("x://{id}", {}, () => "x")).toExtend<ResourceHandle>();
});

test("a tool of the constructor gets an object", () => {
  new MCPServer({
    name: "a",
    version: "1",
    tools: [
      { name: "a", inputSchema: { type: "object" }, handler: (args) => String(args.any) },
      { name: "b", inputSchema: { type: "object" }, handler: ({ name }: { name: string }) => name.trim() },
    ],
  });
});

test("what a model said can be told apart", async () => {
  server.tool("t", {}, async (_args, { sample }) => {
    const { content } = await sample({ messages: [], maxTokens: 1 });
    if (Array.isArray(content)) expectTypeOf(content).toEqualTypeOf<SampleBlock[]>();
    else expectTypeOf(content).toEqualTypeOf<SampleBlock>();
    return "x";
  });
});

test("an answer that was accepted may be one without content", () => {
  const told = (answer: InputResponse): unknown => {
    if (!("action" in answer) || answer.action !== "accept") return undefined;
    // @ts-expect-error it may be that of a page
    return answer.content.name;
  };
  void told;
});

import {
  type CompletionContext,
  type HandlerContext,
  MCPServer,
  type PromptArgument,
  type PromptArguments,
} from "@mortise/server";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

const server = new MCPServer({ name: "test", version: "1" });

describe("the arguments of a prompt's handler", () => {
  test("are strings by the names of a list", () => {
    server.prompt("p", { input: [{ name: "a", required: true }, { name: "b" }] }, (args, ctx) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string; b?: string }>();
      expectTypeOf(ctx).toEqualTypeOf<HandlerContext>();
      return args.a;
    });
  });

  test("are strings that may be missing, where the names of a list are not known", () => {
    expectTypeOf<PromptArguments<readonly PromptArgument[]>>().toEqualTypeOf<Record<string, string | undefined>>();
  });

  test("are what the schema makes of them", () => {
    server.prompt("p", { input: z.object({ count: z.coerce.number(), note: z.string().optional() }) }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ count: number; note?: string | undefined }>();
      return "x";
    });
  });

  test("are what plain JSON Schema says", () => {
    const input = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const;
    server.prompt("p", { input }, (args) => {
      expectTypeOf(args).toEqualTypeOf<{ a: string }>();
      return "x";
    });
  });

  test("are none without a description of them", () => {
    server.prompt("p", {}, (args) => {
      expectTypeOf(args).toEqualTypeOf<Record<string, never>>();
      return "x";
    });
  });
});

describe("a prompt of the constructor", () => {
  test("gets strings that may be missing", () => {
    new MCPServer({
      name: "test",
      version: "1",
      prompts: [
        {
          name: "p",
          arguments: [{ name: "a" }],
          complete: { a: (value) => [value] },
          handler: ({ a }) => {
            expectTypeOf(a).toEqualTypeOf<string | undefined>();
            return "x";
          },
        },
      ],
    });
  });
});

describe("the completers of a prompt", () => {
  test("are for its arguments, and get text", () => {
    server.prompt(
      "p",
      {
        input: [{ name: "a" }],
        complete: {
          a: (value, ctx) => {
            expectTypeOf(value).toEqualTypeOf<string>();
            expectTypeOf(ctx).toEqualTypeOf<CompletionContext>();
            return [value];
          },
        },
      },
      () => "x",
    );
    server.prompt(
      "p",
      {
        input: z.object({ a: z.string() }),
        // @ts-expect-error there is no argument of this name
        complete: { b: () => [] },
      },
      () => "x",
    );
  });
});

describe("what a prompt's handler returns", () => {
  test("may be anything that makes messages", () => {
    const block = { type: "text", text: "hi" } as const;
    server.prompt("p", {}, () => "hi");
    server.prompt("p", {}, () => block);
    server.prompt("p", {}, () => ({ role: "assistant", content: block }));
    server.prompt("p", {}, async () => ["hi", block, { role: "user", content: "hi" }]);
    server.prompt("p", {}, () => ({ description: "d", messages: [{ role: "user", content: block }] }));
  });

  test("may not be what makes none", () => {
    // @ts-expect-error a number is no message
    server.prompt("p", {}, () => 5);
    // @ts-expect-error there is no such role
    server.prompt("p", {}, () => ({ role: "system", content: "hi" }));
  });
});

import { type Extension, type HandlerContext, type JsonObject, MCPServer } from "@mortise/server";
import { expectTypeOf, test } from "vitest";

const server = new MCPServer({ name: "test", version: "1" });

test("what a method reads is what it runs with, for each method apart", () => {
  server.extend({
    id: "com.example/x",
    methods: {
      "x/one": {
        params: (params: JsonObject) => Number(params.n),
        run(n, context) {
          expectTypeOf(n).toEqualTypeOf<number>();
          expectTypeOf(context).toEqualTypeOf<HandlerContext>();
          return { n };
        },
      },
      "x/two": {
        params: ({ text }: JsonObject) => ({ text: String(text) }),
        run: ({ text }) => {
          expectTypeOf(text).toEqualTypeOf<string>();
          return {};
        },
      },
      "x/three": {
        run(params: JsonObject) {
          return params;
        },
      },
    },
  });
});

test("an extension can be written down before it is added", () => {
  const extension: Extension<{ "x/one": { readonly id: string } }> = {
    id: "com.example/x",
    methods: { "x/one": { params: ({ id }) => ({ id: String(id) }), run: ({ id }) => ({ id }) } },
  };
  server.extend(extension);
});

test("a method returns an object", () => {
  server.extend({
    id: "com.example/x",
    methods: {
      "x/one": {
        // @ts-expect-error a result is an object
        run: () => "text",
      },
    },
  });
});

test("the next step is given nothing, or what a run apart needs", () => {
  server.extend({
    id: "com.example/x",
    async aroundToolCall({ declared, context }, next) {
      expectTypeOf(declared).toEqualTypeOf<JsonObject | undefined>();
      expectTypeOf(await next()).toEqualTypeOf<JsonObject>();
      // @ts-expect-error a run apart needs a signal
      await next({});
      return next({ signal: context.signal });
    },
  });
});

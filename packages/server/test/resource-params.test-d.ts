import { MCPServer } from "@mortise/server";
import { expectTypeOf, test } from "vitest";

const server = new MCPServer({ name: "test", version: "1" });

test("a template's handler gets its variables with their types", () => {
  server.resource("x://{id}/{+path}{?tag*}", {}, ({ uri, params }) => {
    expectTypeOf(uri).toEqualTypeOf<string>();
    expectTypeOf(params.id).toEqualTypeOf<string>();
    expectTypeOf(params.path).toEqualTypeOf<string>();
    expectTypeOf(params.tag).toEqualTypeOf<readonly string[] | undefined>();
    // @ts-expect-error it has no such variable
    return params.other;
  });
});

test("completions are for the variables of the template", () => {
  server.resource("x://{id}", { complete: { id: (value) => [value] } }, () => "x");
  // @ts-expect-error it has no such variable
  server.resource("x://{id}", { complete: { other: () => [] } }, () => "x");
});

test("an address that is not known before has whatever variables", () => {
  const uri: string = "x://{id}";
  server.resource(uri, {}, ({ params }) => {
    expectTypeOf(params.id).toEqualTypeOf<string | readonly string[] | undefined>();
    return "x";
  });
});

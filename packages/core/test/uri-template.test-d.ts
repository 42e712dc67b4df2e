import { expectTypeOf, test } from "vitest";
import type { TemplateParams } from "../src/uri-template.js";

test("variables of simple and reserved expressions are strings", () => {
  expectTypeOf<TemplateParams<"x://{id}/{+path}">>().toEqualTypeOf<{ readonly id: string; readonly path: string }>();
  expectTypeOf<TemplateParams<"x://{a,b:3}">>().toEqualTypeOf<{ readonly a: string; readonly b: string }>();
});

test("exploded variables are lists", () => {
  expectTypeOf<TemplateParams<"x://{a*}">>().toEqualTypeOf<{ readonly a: readonly string[] }>();
});

test("variables that can be left out may be missing", () => {
  expectTypeOf<TemplateParams<"x://{a}{?q,tag*}">>().toEqualTypeOf<{
    readonly a: string;
    readonly q?: string | undefined;
    readonly tag?: readonly string[] | undefined;
  }>();
});

test("a text without variables has none, and an unknown text any", () => {
  expectTypeOf<TemplateParams<"x://a">>().toEqualTypeOf<Readonly<Record<string, never>>>();
  expectTypeOf<TemplateParams<string>>().toEqualTypeOf<
    Readonly<Record<string, string | readonly string[] | undefined>>
  >();
});

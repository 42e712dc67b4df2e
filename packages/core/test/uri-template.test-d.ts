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

test("as many variables are inferred as a template may have", () => {
  type Long =
    TemplateParams<"x://{v0}/{v1}/{v2}/{v3}/{v4}/{v5}/{v6}/{v7}/{v8}/{v9}/{v10}/{v11}/{v12}/{v13}/{v14}/{v15}/{v16}/{v17}/{v18}/{v19}/{v20}/{v21}/{v22}/{v23}/{v24}/{v25}/{v26}/{v27}/{v28}/{v29}/{v30}/{v31}">;

  expectTypeOf<keyof Long>().toExtend<`v${number}`>();
  expectTypeOf<Long["v31"]>().toEqualTypeOf<string>();
});

import { describe, expect, test } from "vitest";
import { parseUriTemplate } from "../src/uri-template.js";
import { expandUriTemplate } from "../src/uri-template-expand.js";
import { createUriMatcher } from "../src/uri-template-match.js";

function match(template: string, uri: string): unknown {
  return createUriMatcher(parseUriTemplate(template)).match(uri);
}

describe("createUriMatcher", () => {
  test.each([
    ["x://a/b", "x://a/b", {}],
    ["test://template/{id}/data", "test://template/123/data", { id: "123" }],
    ["x://{a}", "x://h%C3%A9 llo", { a: "hé llo" }],
    ["x://{a}", "x://größe", { a: "größe" }],
    ["x://größe/{a}", "x://gr%C3%B6%C3%9Fe/1", { a: "1" }],
    ["x://größe/{a}", "x://größe/1", { a: "1" }],
    ["x://{a}/{b}", "x://1/2", { a: "1", b: "2" }],
    ["x://{a,b}", "x://1,2%2C3", { a: "1", b: "2,3" }],
    ["x://{a}", "x://1,2:@!$", { a: "1,2:@!$" }],
    ["x://{a*}", "x://1,2,3", { a: ["1", "2", "3"] }],
    ["x://{a}.{b}", "x://archive.tar.gz", { a: "archive.tar", b: "gz" }],
    ["x://{a}-{b}-{c}", "x://1-2-3-4", { a: "1-2", b: "3", c: "4" }],
    ["x://{a:3}", "x://abc", { a: "abc" }],
    ["x://{a:1}", "x://%F0%9F%99%82", { a: "🙂" }],
    ["x://{__proto__}", "x://1", JSON.parse('{"__proto__":"1"}')],
    ["file:///{+path}", "file:///a/b%20c/d?e#f", { path: "a/b c/d?e#f" }],
    ["file://{+path}/{name}", "file:///a/b/c", { path: "/a/b", name: "c" }],
    ["x://{+a}/x{b}", "x://1/x2/3/x4", { a: "1/x2/3", b: "4" }],
    ["x://{+a,b}", "x://1/2,3", { a: "1/2", b: "3" }],
    ["x://a{#part}", "x://a#b/c", { part: "b/c" }],
    ["x://a{#part}", "x://a", {}],
    ["x://{name}{.ext}", "x://notes.tar.gz", { name: "notes", ext: "tar.gz" }],
    ["x://{name}{.ext}", "x://notes", { name: "notes" }],
    ["x://a{.b,c}", "x://a.1.2", { b: "1", c: "2" }],
    ["x://a{/b,c}", "x://a/1", { b: "1" }],
    ["x://a{/b*}", "x://a/1/2/3%20", { b: ["1", "2", "3 "] }],
    ["x://a{/b*}/end", "x://a/1/end", { b: ["1"] }],
    ["x://a{;p,q}", "x://a;q=2;p", { p: "", q: "2" }],
    ["x://a{?q,lang}", "x://a?lang=de&q=1%2F2%3F", { q: "1/2?", lang: "de" }],
    ["x://a{?q,lang}", "x://a?q=", { q: "" }],
    ["x://a{?q,lang}", "x://a", {}],
    ["x://a{?tag*}", "x://a?tag=1&tag=2", { tag: ["1", "2"] }],
    ["x://a?fixed=1{&q}", "x://a?fixed=1&q=../..", { q: "../.." }],
    ["x://a{?q}{&r}", "x://a?r=2&q=1", { q: "1", r: "2" }],
    ["file://{+path}{?q}{#f}", "file:///a/b?q=1#2", { path: "/a/b", q: "1", f: "2" }],
  ])("reads with %s out of %s the values", (template, uri, values) => {
    expect(match(template, uri)).toEqual(values);
  });

  test.each([
    ["x://a/b", "x://a/b/"],
    ["x://a/b", "X://a/b"],
    ["x://a/{b}", "x://a/"],
    ["x://a/{b}", "x://a"],
    ["x://a/{+b}", "x://a/"],
    ["x://a/{b}/c", "x://a//c"],
    ["x://{a,b}", "x://1"],
    ["x://{a,b}", "x://1,2,3"],
    ["x://{a*}", "x://1,,3"],
    ["x://{a:3}", "x://abcd"],
    ["x://a{/b*}", "x://a/1//2"],
    ["x://a{/b*}", "x://a/"],
    ["x://a{?q}", "x://a?"],
    ["x://a{?q}", "x://a?r=1"],
    ["x://a{?q}", "x://a?q=1&q=2"],
    ["x://a{?q}", "x://a?q=1&"],
    ["x://a{?q}", "x://a?q=1#x"],
    ["x://a{;p}", "x://a;p=1/2"],
    ["x://{a}", ""],
    ["x://{a}", "\ud800"],
  ])("finds that %s does not make %j", (template, uri) => {
    expect(match(template, uri)).toBeUndefined();
  });

  test.each(["/", "%2F", "%2f", "\\", "%5C", "?", "%3F", "#", "%23", "\0", "%00"])(
    "lets no separator such as %j into a simple value",
    (separator) => {
      for (const template of ["x://{id}", "x://a{.id}", "x://a{/id}", "x://a{;id}", "x://{z},{id}"]) {
        const uri = expandUriTemplate(parseUriTemplate(template), { id: "1", z: "2" }).replace("1", `a${separator}b`);
        expect(match(template, uri)).toBeUndefined();
      }
    },
  );

  test.each(["%2F", "%2f", "\\", "%5C", "%5c", "%3F", "%23", "\0", "%00"])(
    "lets no encoded separator such as %j into a reserved value",
    (separator) => {
      expect(match("x://{+path}", `x://a${separator}b`)).toBeUndefined();
      expect(match("x://a{#path}", `x://a#a${separator}b`)).toBeUndefined();
    },
  );

  test.each(["..", ".", "%2e%2e", ".%2E", "%2e"])("lets no dot segment such as %j in", (dots) => {
    expect(match("x://{id}", `x://${dots}`)).toBeUndefined();
    expect(match("x://a{/id*}", `x://a/b/${dots}`)).toBeUndefined();
    for (const path of [dots, `${dots}/b`, `a/${dots}`, `a/${dots}/b`, `a/${dots}?b`, `a?b/${dots}/c`])
      expect(match("x://{+path}", `x://${path}`)).toBeUndefined();
    expect(match("x://a/{+path}", `x://a/${dots}`)).toBeUndefined();
  });

  test("lets no dot segment be put together out of several values", () => {
    expect(match("x://.{a}/b", "x://../b")).toBeUndefined();
    expect(match("x://{a}{.b}/c", "x://.../c")).toBeUndefined();
  });

  test("leaves names alone that only have dots in them", () => {
    expect(match("x://{+path}", "x://.git/a..b/...")).toEqual({ path: ".git/a..b/..." });
  });

  test("decodes once", () => {
    expect(match("x://{id}", "x://%252e%252e%252F")).toEqual({ id: "%2e%2e%2F" });
  });

  test.each(["%", "%2", "%zz", "%ff", "%c0%af", "%ed%a0%80", "%f0%9f%99"])(
    "matches nothing with the malformed escape %j",
    (malformed) => {
      expect(match("x://{id}", `x://a${malformed}`)).toBeUndefined();
      expect(match("x://{+id}", `x://a${malformed}`)).toBeUndefined();
      expect(match("x://a{?id}", `x://a?id=${malformed}`)).toBeUndefined();
    },
  );

  test("refuses a template that has a variable twice", () => {
    expect(() => match("x://{a}/{a}", "x://1/1")).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("gives back what was expanded", () => {
    const template = "x://{a}/{+b}{/c*}{?d,e*}";
    const values = { a: "ü ,:%", b: "1/2", c: ["3", "4;"], d: "a/b?c#d&e=f", e: ["5", "6+"] };
    const uri = expandUriTemplate(parseUriTemplate(template), values);

    expect(match(template, uri)).toEqual({ ...values, b: "1", c: ["2", ...values.c] });
  });
});

describe("matching hostile URIs", () => {
  const many = Array.from({ length: 32 }, (_, index) => `{v${index}}`);

  test.each([
    ["many variables in a row", `x://${many.join("")}`],
    ["many variables with text between them", `x://${many.join("a")}b`],
    ["many reserved variables", `x://${many.join("/").replaceAll("{", "{+")}/b`],
    ["many paths", `x:${many.join("").replaceAll("{", "{/").replaceAll("}", "*}")}b`],
    ["a long text that nearly fits everywhere", `x://{+a}${"a".repeat(2_000)}b`],
  ])("takes no time that explodes: %s", (_, template) => {
    const { match: matchUri } = createUriMatcher(parseUriTemplate(template));
    const started = performance.now();
    for (const filler of ["a", "/", "a/", "%41", "../", "?", "aaaa-"])
      matchUri(`x://${filler.repeat(8_000 / filler.length)}`);

    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("matches nothing that is too long", () => {
    expect(match("x://{+a}", `x://${"a".repeat(8_192)}`)).toBeUndefined();
    expect(match("x://{+a}", `x://${"a".repeat(8_188)}`)).toBeDefined();
    expect(match("x://{+a}", `y://${"a".repeat(50_000_000)}`)).toBeUndefined();
  });
});

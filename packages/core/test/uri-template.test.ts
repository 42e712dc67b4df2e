import { describe, expect, test } from "vitest";
import { parseUriTemplate } from "../src/uri-template.js";
import { expandUriTemplate, type TemplateValue } from "../src/uri-template-expand.js";

/** The values of https://www.rfc-editor.org/rfc/rfc6570#section-3.2 */
const VALUES: Record<string, TemplateValue> = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  keys: { semi: ";", dot: ".", comma: "," },
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_keys: {},
  undef: null,
};

describe("expandUriTemplate", () => {
  test.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["O{undef}X", "OX"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["?{undef,y}", "?768"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{keys}", "semi,%3B,dot,.,comma,%2C"],
    ["{keys*}", "semi=%3B,dot=.,comma=%2C"],
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["up{+path}{var}/here", "up/foo/barvalue/here"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list*}", "red,green,blue"],
    ["{+keys}", "semi,;,dot,.,comma,,"],
    ["{+keys*}", "semi=;,dot=.,comma=,"],
    ["{#var}", "#value"],
    ["{#half}", "#50%25"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path:6}/here", "#/foo/b/here"],
    ["{#keys*}", "#semi=;,dot=.,comma=,"],
    ["{.who}", ".fred"],
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.var:3}", "X.val"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.keys*}", "X.semi=%3B.dot=..comma=%2C"],
    ["X{.empty_keys}", "X"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var:1,var}", "/v/value"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{/keys}", "/semi,%3B,dot,.,comma,%2C"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;x,y,undef}", ";x=1024;y=768"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list}", ";list=red,green,blue"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{;keys*}", ";semi=%3B;dot=.;comma=%2C"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&keys*}", "&semi=%3B&dot=.&comma=%2C"],
  ])("makes of %s what its rules say", (template, uri) => {
    expect(expandUriTemplate(parseUriTemplate(template), VALUES)).toBe(uri);
  });

  test("counts characters, not their bytes", () => {
    expect(expandUriTemplate(parseUriTemplate("{x:2}"), { x: "🙂üa" })).toBe("%F0%9F%99%82%C3%BC");
  });

  test("encodes what no URI may hold, also in the text of the template", () => {
    expect(expandUriTemplate(parseUriTemplate("docs://größe/{x}"), { x: "\ud800" })).toBe(
      "docs://gr%C3%B6%C3%9Fe/%EF%BF%BD",
    );
  });

  test("keeps what was encoded in reserved values", () => {
    expect(expandUriTemplate(parseUriTemplate("{+x}"), { x: "a%20b%zz" })).toBe("a%20b%25zz");
  });

  test("does not take what every object inherits for a value", () => {
    expect(expandUriTemplate(parseUriTemplate("a{constructor}{/__proto__}"), {})).toBe("a");
  });
});

describe("parseUriTemplate", () => {
  test.each([
    "{",
    "x{a",
    "}",
    "a}b",
    "{}",
    "{a{b}}",
    "{a,}",
    "{,a}",
    "{+}",
    "{=a}",
    "{!a}",
    "{|a}",
    "{a-b}",
    "{a b}",
    "{a..b}",
    "{.a.}",
    "{a:}",
    "{a:0}",
    "{a:10000}",
    "{a:3*}",
    "{a**}",
    "{a%2}",
    "a b",
    "a%b",
    "a%2",
    'a"b',
    "a\\b",
    "a<b>",
    "a\nb",
    "\ud800",
  ])("refuses the malformed template %j", (template) => {
    expect(() => parseUriTemplate(template)).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("refuses templates that are too long, or have too many variables", () => {
    const tooMany = Array.from({ length: 33 }, (_, index) => `{v${index}}`).join("/");

    expect(() => parseUriTemplate("a".repeat(2_049))).toThrow(expect.objectContaining({ code: "invalid_options" }));
    expect(() => parseUriTemplate(tooMany)).toThrow(expect.objectContaining({ code: "invalid_options" }));
    expect(parseUriTemplate("a".repeat(2_048)).parts).toHaveLength(1);
  });

  test("names the variables, each once", () => {
    expect(parseUriTemplate("x://{a}/{+b:3,c.d}{?a,e*,%41}").names).toEqual(["a", "b", "c.d", "e", "%41"]);
  });
});

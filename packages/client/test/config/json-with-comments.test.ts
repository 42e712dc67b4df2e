import { describe, expect, test } from "vitest";
import { parseJsonWithComments } from "../../src/config/json-with-comments.js";

describe("JSON with comments", () => {
  test.each([
    ["plain JSON", '{"a":[1,-2.5e3,true,false,null,"x"]}', { a: [1, -2500, true, false, null, "x"] }],
    ["comments of both kinds", '// a\n{ /* b */ "a" /**/ : 1 // c\r\n, "d": 2 /* * / */ } // end', { a: 1, d: 2 }],
    ["a comma after the last item", '{"a":[1,2,],"b":{"c":1,},}', { a: [1, 2], b: { c: 1 } }],
    ["a byte-order mark", '\ufeff{"a":1}', { a: 1 }],
    ["every escape", String.raw`["\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"]`, ['"\\/\b\f\n\r\té😀']],
    ["what looks like a comment in a string", '{"url":"https://a.test/*x*/"}', { url: "https://a.test/*x*/" }],
    ["nothing in brackets", "[{},[]]", [{}, []]],
    ["a single value", " 0 ", 0],
  ])("takes %s", (_, text, value) => {
    expect(parseJsonWithComments(text)).toEqual(value);
  });

  test("makes a member of every name, also of one that means something to objects", () => {
    const value = parseJsonWithComments('{"__proto__":{"admin":true},"constructor":1}');

    expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
    expect((value as { admin?: unknown }).admin).toBeUndefined();
  });

  test("takes thousands of members in one object", () => {
    const text = `{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":${at}`).join(",\n")}}`;

    expect(Object.keys(parseJsonWithComments(text) as object)).toHaveLength(20_000);
  });

  test.each([
    ["nothing", "", 1, 1],
    ["only a comment", "// a", 1, 5],
    ["a comma alone", "[,]", 1, 2],
    ["two commas", "[1,,2]", 1, 4],
    ["a missing comma", '{\n  "a": 1\n  "b": 2\n}', 3, 3],
    ["a missing colon", '{"a" 1}', 1, 6],
    ["a name without quotes", "{a:1}", 1, 2],
    ["single quotes", "{'a':1}", 1, 2],
    ["a name that stands twice", '{"a":1,\r\n"a":2}', 2, 1],
    ["more after the end", "{} {}", 1, 4],
    ["an object that does not end", '{"a":1', 1, 7],
    ["a string that does not end", '["a', 1, 2],
    ["a string that ends in a backslash", '["a\\', 1, 2],
    ["a line end in a string", '["a\nb"]', 1, 4],
    ["an escape that JSON has not", '["\\x41"]', 1, 2],
    ["half an escape", '["\\u12"]', 1, 2],
    ["a comment that does not end", "{\r/* a", 2, 1],
    ["a number with a zero in front", "[01]", 1, 3],
    ["a number without digits", "[-]", 1, 2],
    ["a number that is none", "[NaN]", 1, 2],
    ["a word in other letters", "[True]", 1, 2],
    ["a space that JSON has not", "[\u00a01]", 1, 2],
    ["a byte-order mark in the middle", "[\ufeff1]", 1, 2],
    ["a backslash in front of a name", '{\\"a":1}', 1, 2],
  ])("refuses %s, and tells where", (_, text, line, column) => {
    expect(() => parseJsonWithComments(text)).toThrow(
      expect.objectContaining({
        code: "parse_error",
        message: expect.stringMatching(new RegExp(`line ${line}, column ${column}$`)),
      }),
    );
  });

  test.each(["[", '{"a":'])("refuses %s a hundred thousand times without exhausting the stack", (open) => {
    expect(() => parseJsonWithComments(open.repeat(100_000))).toThrow(expect.objectContaining({ code: "parse_error" }));
  });

  test.each(['{"token":"sk-secret" "x":1}', '{"token":sk-secret}', '{"token":"sk-secret\\q"}', '["sk-secret'])(
    "does not quote what stands there: %s",
    (text) => {
      expect(() => parseJsonWithComments(text)).toThrow(
        expect.not.objectContaining({ message: expect.stringContaining("sk-secret") }),
      );
    },
  );
});

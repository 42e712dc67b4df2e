import { expect, test } from "vitest";
import { isJavaScript, translateRegex } from "../../src/regex/translate-regex.js";

test.each([
  ["(?P<year>\\d{4})-(?P=year)", "(?<year>\\d{4})-\\k<year>"],
  ["\\Aab\\Z", "^ab$"],
  ["\\\\A", "\\\\A"],
  ["[a-z]+", "[a-z]+"],
])("writes %s in JavaScript's way", (pattern, translated) => {
  expect(translateRegex({ pattern, flags: "" })).toEqual({ pattern: translated, flags: "" });
});

test("takes flags out of the beginning of an expression", () => {
  expect(translateRegex({ pattern: "(?im)^a", flags: "s" })).toEqual({ pattern: "^a", flags: "sim" });
});

test("keeps the ends of the text apart from those of lines", () => {
  const { pattern = "", flags } = translateRegex({ pattern: "\\Ab\\z", flags: "m" }) ?? {};

  expect(new RegExp(pattern, flags).test("a\nb")).toBe(false);
});

test.each(["(?>a+)b", "a++b", "[[:alpha:]]", "\\Gab", "(?R)", "\\h+", "(?i:a)b", "(?(1)a|b)", "\\p{IsGreek}"])(
  "gives no verdict on %s, which JavaScript reads otherwise",
  (pattern) => {
    expect(translateRegex({ pattern, flags: "" })).toBeUndefined();
  },
);

test("gives no verdict on flags that JavaScript does not have", () => {
  expect(translateRegex({ pattern: "a b", flags: "x" })).toBeUndefined();
});

test.each(["javascript", "TypeScript", " JS ", "Node.js", "JavaScript (ES2024)"])(
  "knows %j as JavaScript",
  (language) => {
    expect(isJavaScript(language)).toBe(true);
  },
);

test.each(["java", "python", "jsonpath", "tsql", "go", ""])("does not take %j for JavaScript", (language) => {
  expect(isJavaScript(language)).toBe(false);
});

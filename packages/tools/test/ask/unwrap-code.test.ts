import { describe, expect, test } from "vitest";
import { unwrapCode, unwrapWhole } from "../../src/ask/unwrap-code.js";

describe("unwrapCode", () => {
  test.each([
    ["no fence", "let a = 1;", "let a = 1;"],
    ["space around the code", "\n  let a = 1;\n\n", "let a = 1;"],
    ["a fence with a language", "```ts\nlet a = 1;\n```", "let a = 1;"],
    ["a bare fence", "```\nlet a = 1;\n```", "let a = 1;"],
    ["a fence of tildes", "~~~ts\nlet a = 1;\n~~~", "let a = 1;"],
    ["a longer fence around shorter ones", "````md\n```ts\nlet a = 1;\n```\n````", "```ts\nlet a = 1;\n```"],
    ["a file name behind the language", "```ts title=a.ts\nlet a = 1;\n```", "let a = 1;"],
    ["words around it", "Here you are:\n\n```ts\nlet a = 1;\n```\n\nGood luck!", "let a = 1;"],
    ["CRLF line ends", "```ts\r\nlet a = 1;\r\nlet b;\r\n```\r\n", "let a = 1;\nlet b;"],
    ["a fence that is never closed", "```ts\nlet a = 1;\nlet b;", "let a = 1;\nlet b;"],
    ["an indented fence", "  ```ts\n  let a = 1;\n  ```", "  let a = 1;"],
    ["an empty fence", "```ts\n```", ""],
    ["a fence within the code", "```md\n# A\n```js\na();\n```\n# B\n```", "# A\n```js\na();\n```\n# B"],
    ["blank lines at its ends", "```ts\n\n\n  a();\n\n```", "  a();"],
    [
      "back-ticks in a line of code",
      "```ts\nconst a = `x`;\nconst b = '```';\n```",
      "const a = `x`;\nconst b = '```';",
    ],
  ])("takes code out of %s", (_what, text, code) => {
    expect(unwrapCode(text)).toBe(code);
  });

  test("takes the longest of several pieces", () => {
    expect(unwrapCode("```sh\nnpm i\n```\nthen\n```ts\nlet a = 1;\nlet b = 2;\n```")).toBe("let a = 1;\nlet b = 2;");
  });

  test.each([
    ["marks", `\`\`\`${"`".repeat(200_000)} \``],
    ["tildes", `${"~".repeat(200_000)}\``],
    ["spaces behind a mark", `\`\`\`${" ".repeat(200_000)}\``],
    ["fences", "```\n".repeat(50_000)],
    ["blank lines", `\`\`\`ts\n${" \n".repeat(100_000)}`],
  ])("reads a long row of %s in time that grows with its length alone", (_what, text) => {
    const start = performance.now();

    unwrapCode(text);

    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe("unwrapWhole", () => {
  test("takes code out of a fence around all of it", () => {
    expect(unwrapWhole("\n```ts\nlet a = 1;\n```\n")).toBe("let a = 1;");
  });

  test.each(["# A\n```js\na();\n```", "```js\na();\n```\n# A", "```js\na();\n```\n# A\n```js\nb();\n```", "a();\n"])(
    "leaves code as it is that only has fences in it, or none: %j",
    (code) => {
      expect(unwrapWhole(code)).toBe(code);
    },
  );
});

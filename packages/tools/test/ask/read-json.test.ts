import { expect, test } from "vitest";
import { readJson } from "../../src/ask/read-json.js";

const VALUE = { name: "Ann", list: [1, "}]"] };
const JSON_TEXT = JSON.stringify(VALUE);

test.each<readonly [string, string]>([
  ["alone", JSON_TEXT],
  ["with a byte order mark and space around", `\uFEFF\n ${JSON_TEXT} \n`],
  ["in a fence", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ["in a fence with Windows line ends", `\`\`\`json\r\n${JSON_TEXT}\r\n\`\`\``],
  ["in a longer fence", `\`\`\`\`\n${JSON_TEXT}\n\`\`\`\``],
  ["in a fence of tildes", `~~~\n${JSON_TEXT}\n~~~`],
  ["after a thought", `<think>{"name":"Bob"}</think>\n${JSON_TEXT}`],
  ["after a thought, in a fence", `<think>\nHm.\n</think>\n\n\`\`\`json\n${JSON_TEXT}\n\`\`\`\nDone`],
  ["after a thought whose beginning is missing", `Hm {. </think>${JSON_TEXT}`],
  ["with words around", `Here it is: ${JSON_TEXT}. Anything else?`],
  ["after a bracket in words", `As [requested, here: ${JSON_TEXT}`],
])("finds a value %s", (_where, text) => {
  const [found] = readJson(text);

  expect(found).toEqual(VALUE);
});

test("takes a value with a tag of a thought in it as it is", () => {
  const value = { html: "a </think> b" };

  expect(readJson(JSON.stringify(value))).toEqual([value]);
});

test("gives every value that may be meant, the longest of those in words first", () => {
  const found = readJson('Not {"a":1} but {"a":1,"b":[2]}');

  expect(found).toEqual([{ a: 1, b: [2] }, { a: 1 }]);
});

test.each(["", "No idea", "42", '"text"', "{'a': 1}", '{"a":', "[[[[[["])("finds nothing in %j", (text) => {
  expect(readJson(text)).toEqual([]);
});

test("takes no long time for many brackets that never close", () => {
  const started = performance.now();

  readJson("{".repeat(1_000_000));

  expect(performance.now() - started).toBeLessThan(5000);
});

test.each(["~", "`"])("takes no long time for long rows of %s that never close", (mark) => {
  const started = performance.now();

  readJson(`x${mark.repeat(5000)}\n${"a".repeat(500_000)}`);

  expect(performance.now() - started).toBeLessThan(5000);
});

import { expect, test } from "vitest";
import { createRepeatRule } from "../src/repeated-member.js";

test.each([
  '{"id":1,"id":2}',
  '{"id":1,"method":"a","id":1}',
  '{ "id" : 1 , "a":{"id":1}, "id"\n: 2 }',
  '{"method":"a","params":{"id":"}"},"id":1,"params":{}}',
  '{"id":1,"method":"a","params":{"name":"b"},"params":{"name":"c"}}',
  '{"id":1,"\\u0069d":2}',
  '{"id":1,"a":"\\"id\\":","i\\u0064":2}',
])("finds the member named twice in %s", async (text) => {
  expect(await createRepeatRule()(text)).toBe(true);
});

test("finds one in a long text, too", async () => {
  const repeats = createRepeatRule();
  const long = JSON.stringify("x".repeat(5_000));

  expect(await repeats(`{"id":1,"params":{"a":${long}},"id":2}`)).toBe(true);
  expect(await repeats(`{"id":1,"params":{"a":${long}, "id":2}}`)).toBe(false);
});

test.each([
  '{"uuid":1,"id":2,"grid":"id"}',
  '{"id":1}',
  '{"id":1,"params":{"id":2},"other":1,"other":2}',
  '{"id":1,"params":{"teams":[],"streams":[],"params":{}}}',
  '{"id":1,"params":{"id":2,"method":"x"}}',
  '{"id":"id","method":"id"}',
  '{"id":1,"a":[{"id":1},{"id":2}]}',
  '{"a":"\\\\","id":1,"b":"\\"id\\":"}',
  '{"id":1,"a":"\\u0069d"}',
  '[{"id":1},{"id":2}]',
  '"id"',
])("finds none in %s", async (text) => {
  expect(await createRepeatRule()(text)).toBe(false);
});

test("waits only for the first look", async () => {
  const repeats = createRepeatRule();

  expect(repeats('{"id":1}')).toBe(false);
  expect(await repeats('{"id":1,"id":2}')).toBe(true);
  expect(repeats('{"id":1,"id":2}')).toBe(true);
});

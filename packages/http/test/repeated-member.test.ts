import { expect, test } from "vitest";
import { repeatsMember } from "../src/repeated-member.js";

test.each([
  '{"id":1,"id":2}',
  '{"id":1,"method":"a","id":1}',
  '{ "id" : 1 , "a":{"id":1}, "id"\n: 2 }',
  '{"method":"a","params":{"id":"}"},"id":1,"params":{}}',
  '{"id":1,"\\u0069d":2}',
  '{"id":1,"a":"\\"id\\":","i\\u0064":2}',
])("finds the member named twice in %s", (text) => {
  expect(repeatsMember(text)).toBe(true);
});

test.each([
  '{"id":1}',
  '{"id":1,"params":{"id":2,"method":"x"}}',
  '{"id":"id","method":"id"}',
  '{"id":1,"a":[{"id":1},{"id":2}]}',
  '{"a":"\\\\","id":1,"b":"\\"id\\":"}',
  '{"id":1,"a":"\\u0069d"}',
  '[{"id":1},{"id":2}]',
  '"id"',
])("finds none in %s", (text) => {
  expect(repeatsMember(text)).toBe(false);
});

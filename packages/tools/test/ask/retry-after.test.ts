import { expect, test } from "vitest";
import { readRetryAfter } from "../../src/ask/retry-after.js";

test.each<readonly [Record<string, string>, number | undefined]>([
  [{}, undefined],
  [{ "retry-after": "3" }, 3000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "-1" }, undefined],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, 0],
  [{ "retry-after": "3", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "3", "retry-after-ms": "odd" }, 3000],
])("reads %j", (headers, expected) => {
  expect(readRetryAfter(new Headers(headers))).toBe(expected);
});

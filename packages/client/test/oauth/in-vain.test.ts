import { afterEach, expect, test, vi } from "vitest";
import { InVain } from "../../src/oauth/in-vain.js";

afterEach(() => {
  vi.useRealTimers();
});

test("what was tried in vain is remembered for ten minutes", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const tried = new InVain();
  tried.add("files:write");

  vi.setSystemTime(Date.now() + 599_000);
  const before = tried.has("files:write");
  vi.setSystemTime(Date.now() + 2_000);

  expect([before, tried.has("files:write")]).toEqual([true, false]);
});

test("what was tried in vain last is remembered, however much there was before", () => {
  const tried = new InVain();

  for (let at = 0; at < 1_000; at += 1) tried.add(`s${at}`);

  expect(tried.has("s999")).toBe(true);
  expect(tried.has("s0")).toBe(false);
});

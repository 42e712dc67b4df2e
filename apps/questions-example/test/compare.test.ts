import { describe, expect, test } from "vitest";
import { callLegacy, callModern } from "../src/asked-client.js";
import { tryWay, WAYS } from "../src/compare.js";
import { createTripServer } from "../src/trip-server.js";

describe.each(WAYS)("a $title", (way) => {
  test("sees side effects as often as the page says", async () => {
    const { counts } = await tryWay(way);

    expect(counts).toEqual(way.expected);
  });

  test("gets the answer that both questions led to", async () => {
    const { text } = await tryWay(way);

    expect(text).toBe("3 nights in Lisbon (draft-1)");
  });

  test("is found wrong when it counts something else", async () => {
    const { right } = await tryWay({ ...way, expected: { ...way.expected, once: 2 } });

    expect(right).toBe(false);
  });
});

test.each([
  ["modern", callModern],
  ["legacy", callLegacy],
] as const)("a user of a %s client may decline", async (_era, call) => {
  const { server, counts } = createTripServer({ onWarning: () => undefined });

  const result = await call(server, "plan_trip", () => ({ action: "decline" }));

  expect(result).toMatchObject({ content: [{ text: "No trip, then" }] });
  expect(counts.afterwards).toBe(0);
});

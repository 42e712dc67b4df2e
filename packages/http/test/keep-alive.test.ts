import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSharedKeepAlive, createSingleKeepAlive } from "../src/keep-alive.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe.each([
  { name: "one timer for all", create: createSharedKeepAlive },
  { name: "a timer for each", create: createSingleKeepAlive },
])("$name", ({ create }) => {
  test("beats at the interval until it is stopped", () => {
    const beats: number[] = [];
    const stop = create(100).start(() => beats.push(Date.now()));

    vi.advanceTimersByTime(350);
    stop();
    vi.advanceTimersByTime(350);

    expect(beats).toHaveLength(3);
  });

  test("keeps the times of several apart", () => {
    const keepAlive = create(100);
    const beats: string[] = [];

    const stops = [keepAlive.start(() => beats.push("first"))];
    vi.advanceTimersByTime(50);
    stops.push(keepAlive.start(() => beats.push("second")));
    vi.advanceTimersByTime(210);
    for (const stop of stops) stop();

    expect(beats).toEqual(["first", "second", "first", "second"]);
  });

  test("may be stopped from within a beat", () => {
    const keepAlive = create(100);
    let beats = 0;
    const stop = keepAlive.start(() => {
      beats += 1;
      stop();
    });

    vi.advanceTimersByTime(500);

    expect(beats).toBe(1);
  });

  test("leaves no timer behind for long", () => {
    const stop = create(100).start(() => undefined);

    stop();
    vi.advanceTimersByTime(100);

    expect(vi.getTimerCount()).toBe(0);
  });

  test("never beats at interval 0", () => {
    create(0).start(() => expect.unreachable());

    vi.advanceTimersByTime(1_000);

    expect(vi.getTimerCount()).toBe(0);
  });
});

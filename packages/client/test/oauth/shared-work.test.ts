import { describe, expect, test } from "vitest";
import { abandonable } from "../../src/oauth/abandonable.js";
import { SharedWork } from "../../src/oauth/shared-work.js";
import { failureOf, pause } from "../open-client.js";

/** Work that ends when it is told to. */
function createWork<T>() {
  const hands: { resolve(value: T): void; reject(error: Error): void; signal: AbortSignal }[] = [];
  const work = new SharedWork<T>(
    (signal) => new Promise((resolve, reject) => void hands.push({ resolve, reject, signal })),
  );
  const [hand] = hands;
  if (hand === undefined) throw new TypeError("Expected the work to begin at once");
  return { work, hand };
}

describe("shared work", () => {
  test("gives its result to everybody who waits", async () => {
    const { work, hand } = createWork<string>();
    const waits = [work.wait(undefined), work.wait(new AbortController().signal)];

    hand.resolve("done");

    expect(await Promise.all(waits)).toEqual(["done", "done"]);
    expect(work.isStopped).toBe(true);
  });

  test("goes on when one of several gives up, who learns why at once", async () => {
    const { work, hand } = createWork<string>();
    const caller = new AbortController();
    const given = failureOf(work.wait(caller.signal));
    const kept = work.wait(undefined);

    caller.abort(new Error("enough"));

    expect(await given).toMatchObject({ message: "enough" });
    expect(hand.signal.aborted).toBe(false);
    hand.resolve("done");
    expect(await kept).toBe("done");
  });

  test("is stopped when the last one gives up, and is over then even if it does not listen", async () => {
    const { work, hand } = createWork<string>();
    const caller = new AbortController();
    const given = failureOf(work.wait(caller.signal));

    caller.abort(new Error("enough"));
    await given;
    await work.over;

    expect(hand.signal.aborted).toBe(true);
    expect(work.isStopped).toBe(true);
  });

  test("that fails is over too, and bothers nobody who does not wait", async () => {
    const { work, hand } = createWork<string>();

    hand.reject(new Error("boom"));
    await work.over;

    expect(await failureOf(work.wait(undefined))).toMatchObject({ message: "boom" });
  });

  test("can be settled by something else, and is stopped then", async () => {
    const { work, hand } = createWork<string>();
    const wait = work.wait(undefined);

    work.settle("from elsewhere");

    expect(await wait).toBe("from elsewhere");
    expect(hand.signal.aborted).toBe(true);
    hand.reject(new Error("too late"));
    await pause(1);
  });
});

describe("work that can be abandoned", () => {
  test("is not waited for once the signal has aborted", async () => {
    const aborted = AbortSignal.abort(new Error("enough"));

    expect(await failureOf(abandonable(new Promise(() => undefined), aborted))).toMatchObject({ message: "enough" });
  });

  test("is as it was without a signal", async () => {
    expect(await abandonable(Promise.resolve(1), undefined)).toBe(1);
  });
});

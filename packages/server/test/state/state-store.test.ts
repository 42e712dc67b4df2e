import { createMemoryStateStore, type StateStore } from "@mortise/server";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSealer, keyOf } from "./sealing.js";

const keys = [{ id: "a", key: keyOf(1) }];
const LONG = { text: "x".repeat(5_000) };

afterEach(() => {
  vi.useRealTimers();
});

describe("a state that is too long to travel", () => {
  const settings = () => ({ keys, maxBytes: 512, store: createMemoryStateStore() });

  test("is kept in the store, and what travels stands for it", async () => {
    const { sealer } = createSealer(settings());

    const token = await sealer.seal("state", LONG);

    expect(token.length).toBeLessThanOrEqual(512);
    expect(await sealer.open("state", token)).toEqual(LONG);
    expect(await sealer.open("state", token)).toEqual(LONG);
    expect(await sealer.open("session", token)).toBeUndefined();
  });

  test("opens in another process that has the store", async () => {
    const shared = settings();
    const token = await createSealer(shared).sealer.seal("state", LONG);

    expect(await createSealer(shared).sealer.open("state", token)).toEqual(LONG);
    expect(
      await createSealer({ ...shared, store: createMemoryStateStore() }).sealer.open("state", token),
    ).toBeUndefined();
  });

  test("cannot be read or replaced by whoever reads or writes the store", async () => {
    const texts = new Map<string, string>();
    const store: StateStore = { set: (id, text) => texts.set(id, text), get: (id) => texts.get(id) };
    const { sealer } = createSealer({ ...settings(), store });
    const [first, second] = [await sealer.seal("state", LONG), await sealer.seal("state", { ...LONG, second: true })];
    const [[one, text], [, other]] = [...texts] as [[string, string], [string, string]];

    texts.set(one, other);

    expect(text).not.toContain("x".repeat(20));
    expect(await sealer.open("state", first)).toBeUndefined();
    expect(await sealer.open("state", second)).toEqual({ ...LONG, second: true });
  });

  test("is not one that a client can send in place of its token", async () => {
    const texts: string[] = [];
    const store: StateStore = { set: (_, text) => texts.push(text), get: () => undefined };
    const { sealer } = createSealer({ ...settings(), maxBytes: 4_000, store });

    await sealer.seal("state", { text: "x".repeat(3_500) });

    expect(await sealer.open("state", texts[0]!)).toBeUndefined();
  });

  test("is refused where even a store has a limit", async () => {
    const { sealer } = createSealer(settings());

    await expect(sealer.seal("state", { text: "x".repeat(16_777_216) })).rejects.toMatchObject({
      code: "state_too_large",
    });
  });
});

describe("a store that fails", () => {
  const broken: StateStore = {
    set: () => undefined,
    get: () => Promise.reject(new Error("The store is away")),
    take: () => Promise.reject(new Error("The store is away")),
  };

  test("opens nothing, and the owner is told", async () => {
    const { sealer, errors } = createSealer({ keys, maxBytes: 512, store: broken });

    expect(await sealer.open("state", await sealer.seal("state", LONG))).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ message: "The store is away" })]);
  });

  test("seals nothing", async () => {
    const store: StateStore = { ...broken, set: () => Promise.reject(new Error("The store is away")) };
    const { sealer } = createSealer({ keys, store, singleUse: true });

    await expect(sealer.seal("state", {})).rejects.toThrow("The store is away");
  });
});

describe.each([
  ["short", { step: 1 }],
  ["long", LONG],
])("a %s state for single use", (_, payload) => {
  const settings = () => ({ keys, maxBytes: 512, store: createMemoryStateStore(), singleUse: true });

  test("opens once", async () => {
    const { sealer } = createSealer(settings());

    const token = await sealer.seal("state", payload);

    expect(await sealer.open("state", token)).toEqual(payload);
    expect(await sealer.open("state", token)).toBeUndefined();
  });

  test("opens for one of two that come at the same time to two processes", async () => {
    const shared = settings();
    const [one, two] = [createSealer(shared).sealer, createSealer(shared).sealer];
    const token = await one.seal("state", payload);

    const opened = await Promise.all([one.open("state", token), two.open("state", token)]);

    expect(opened.filter((each) => each !== undefined)).toEqual([payload]);
  });

  test("is not used up by a caller it was not made for", async () => {
    const { sealer } = createSealer(settings());
    const token = await sealer.seal("state", payload);

    expect(await sealer.open("state", token, { accepts: () => false })).toBeUndefined();
    expect(await sealer.open("session", token)).toBeUndefined();

    expect(await sealer.open("state", token, { accepts: () => true })).toEqual(payload);
  });

  test("opens again where it was sealed as reusable", async () => {
    const { sealer } = createSealer(settings());

    const token = await sealer.seal("session", payload, { reusable: true });

    expect(await sealer.open("session", token)).toEqual(payload);
    expect(await sealer.open("session", token)).toEqual(payload);
  });

  test("does not open in a process that cannot tell whether it was used", async () => {
    const token = await createSealer(settings()).sealer.seal("state", payload);

    expect(await createSealer({ keys }).sealer.open("state", token)).toBeUndefined();
  });
});

describe("the store in memory", () => {
  test("gives a text to the first who takes it", () => {
    const store = createMemoryStateStore();

    store.set("id", "text", 1_000);

    expect([store.get("id"), store.take("id"), store.take("id"), store.get("id")]).toEqual([
      "text",
      "text",
      undefined,
      undefined,
    ]);
  });

  test("forgets a text once its time is over", () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const store = createMemoryStateStore();
    store.set("id", "text", 1_000);
    store.set("other", "text", 1_000);

    vi.advanceTimersByTime(1_000);

    expect(store.get("id")).toBeUndefined();
    expect(store.take("other")).toBeUndefined();
  });

  test("forgets the oldest beyond its number of entries", () => {
    const store = createMemoryStateStore({ maxEntries: 2 });

    for (const id of ["a", "b", "a", "c"]) store.set(id, id, 1_000);

    expect(["a", "b", "c"].map((id) => store.get(id))).toEqual(["a", undefined, "c"]);
  });

  test("forgets the oldest beyond its number of bytes, and refuses what is larger than all of it", () => {
    const store = createMemoryStateStore({ maxBytes: 10 });

    store.set("a", "xxxxxx", 1_000);
    store.set("b", "xxxxx", 1_000);

    expect([store.get("a"), store.get("b")]).toEqual([undefined, "xxxxx"]);
    expect(() => store.set("c", "x".repeat(11), 1_000)).toThrow(expect.objectContaining({ code: "state_too_large" }));
    expect(store.get("b")).toBe("xxxxx");
  });

  test.each([{ maxEntries: 0 }, { maxEntries: 1.5 }, { maxBytes: Number.NaN }, { maxBytes: "1" }])(
    "is not made with %j",
    (options) => {
      expect(() => createMemoryStateStore(options as never)).toThrow(
        expect.objectContaining({ code: "invalid_options" }),
      );
    },
  );
});

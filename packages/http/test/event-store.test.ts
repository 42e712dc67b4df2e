import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryEventStore } from "../src/legacy/event-store.js";

function textsAfter(store: MemoryEventStore, id: string): readonly string[] | undefined {
  return store.after(id)?.events.map(({ data }) => data);
}

describe("an event store in memory", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("gives the later events of the same stream, and the stream", () => {
    const store = new MemoryEventStore();
    const first = store.append("a", "");
    const other = store.append("b", "b1");
    const second = store.append("a", "a1");
    const third = store.append("a", "a2");

    expect(store.after(first)).toEqual({
      stream: "a",
      events: [
        { id: second, data: "a1" },
        { id: third, data: "a2" },
      ],
      dropped: false,
    });
    expect(textsAfter(store, third)).toEqual([]);
    expect(store.after(other)).toEqual({ stream: "b", events: [], dropped: false });
  });

  test("gives every event an id of its own, in visible ASCII", () => {
    const store = new MemoryEventStore();

    const ids = ["a", "a.1", "b", "a", "a.1"].map((stream) => store.append(stream, "x"));

    expect(new Set(ids).size).toBe(5);
    for (const id of ids) expect(id).toMatch(/^[!-~]+$/);
  });

  test.each(["", "a", "a.", "a.0", "a.2", "a.x", "b.1", ".1", `a.${"9".repeat(30)}`, `${"a".repeat(300)}.1`])(
    "does not know the id %j that it never gave",
    (id) => {
      const store = new MemoryEventStore();
      store.append("a", "a1");

      expect(store.after(id)).toBeUndefined();
    },
  );

  test("keeps as many events of a stream as it may, and tells where some are missing", () => {
    const store = new MemoryEventStore({ maxEvents: 2 });
    const ids = ["1", "2", "3", "4"].map((data) => store.append("a", data));

    expect(store.after(ids[0] ?? "")).toMatchObject({ dropped: true, events: [{ data: "3" }, { data: "4" }] });
    expect(store.after(ids[1] ?? "")).toMatchObject({ dropped: false, events: [{ data: "3" }, { data: "4" }] });
  });

  test("keeps the newest event of a stream whatever its length, and no older ones beside it", () => {
    const store = new MemoryEventStore({ maxStreamLength: 1_000 });
    const first = store.append("a", "");
    store.append("a", "x");
    store.append("a", "y".repeat(2_000));

    expect(store.after(first)).toMatchObject({ dropped: true, events: [{ data: "y".repeat(2_000) }] });
  });

  test("lets the oldest events of all streams go where all of them are too much", () => {
    const store = new MemoryEventStore({ maxLength: 3_000 });
    const a = store.append("a", "x".repeat(800));
    const b = store.append("b", "y".repeat(800));
    store.append("b", "z".repeat(800));
    store.append("c", "w".repeat(800));

    expect(store.after(a)).toEqual({ stream: "a", events: [], dropped: false });
    expect(store.after(b)).toMatchObject({ dropped: false, events: [{ data: "z".repeat(800) }] });
  });

  test("holds no more than it may when a stream floods it beside a quiet one", () => {
    const store = new MemoryEventStore({ maxEvents: 3, maxLength: 10_000 });
    const quiet = store.append("quiet", "");
    const last = store.append("quiet", "kept");
    for (let index = 0; index < 1_000; index += 1) store.append("loud", "x".repeat(1_000));

    expect(textsAfter(store, quiet)).toEqual(["kept"]);
    expect(textsAfter(store, last)).toEqual([]);
    expect(textsAfter(store, "loud.997")).toHaveLength(3);
  });

  test("lets events go that are too old, also when nothing comes any more", () => {
    const store = new MemoryEventStore({ maxAge: 1_000 });
    const first = store.append("a", "1");
    vi.advanceTimersByTime(600);
    const second = store.append("a", "2");
    store.append("a", "3");
    vi.advanceTimersByTime(600);
    const lostNothing = store.after(first);
    vi.advanceTimersByTime(600);

    expect(lostNothing).toMatchObject({ dropped: false, events: [{ data: "2" }, { data: "3" }] });
    expect(store.after(second)).toEqual({ stream: "a", events: [], dropped: true });
  });

  test("tells a stream that lost nothing but what was seen from one that lost more", () => {
    const store = new MemoryEventStore({ maxAge: 1_000 });
    const first = store.append("a", "");
    vi.advanceTimersByTime(2_000);

    expect(store.after(first)).toEqual({ stream: "a", events: [], dropped: false });
    store.append("a", "late");
    expect(textsAfter(store, first)).toEqual(["late"]);
  });

  test("forgets the longest empty streams beyond its limit, and never gives an id twice", () => {
    const store = new MemoryEventStore({ maxAge: 1_000, maxEmptyStreams: 1 });
    const ids = [store.append("a", "1"), store.append("a", "2"), store.append("b", "1")];
    vi.advanceTimersByTime(2_000);
    store.after("");

    expect(store.after(ids[1] ?? "")).toBeUndefined();
    expect(store.after(ids[2] ?? "")).toBeDefined();
    const again = store.append("a", "3");
    expect(ids).not.toContain(again);
    expect(store.after(ids[0] ?? "")).toMatchObject({ events: [{ data: "3" }], dropped: true });
  });

  test("lets go of everything that belongs to a session that has ended, and of nothing else", () => {
    const store = new MemoryEventStore({ maxLength: 1_000 });
    const ids = [store.append("a.1", "x"), store.append("a.2", "x"), store.append("b.1", "y"), store.append("a", "x")];
    store.append("b.1", "z");

    store.forget("a");
    store.forget("unknown");

    expect(ids.map((id) => textsAfter(store, id))).toEqual([undefined, undefined, ["z"], undefined]);
    store.append("b.1", "w".repeat(500));
    expect(textsAfter(store, ids[2] ?? "")).toHaveLength(2);
    expect(ids).not.toContain(store.append("a.1", "again"));
  });

  test("starts no timer", () => {
    const store = new MemoryEventStore();

    store.append("a", "1");

    expect(vi.getTimerCount()).toBe(0);
  });
});

import type { SessionRecord } from "@mortise/http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemorySessions } from "../src/legacy/memory-sessions.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function record(id: string): SessionRecord {
  return { id, revision: "2025-06-18", capabilities: {}, watched: [] };
}

function createSessions(maxSessions = 3, busy: readonly string[] = []): MemorySessions {
  return new MemorySessions({ maxSessions, isBusy: (id) => busy.includes(id) });
}

function fill(sessions: MemorySessions, ...ids: readonly string[]): void {
  for (const id of ids) {
    sessions.makeRoom();
    sessions.set(id, record(id), 1_000);
  }
}

function list(sessions: MemorySessions, ...ids: readonly string[]): readonly string[] {
  return ids.filter((id) => sessions.get(id) !== undefined);
}

describe("sessions in memory", () => {
  test("give what was set, until it is deleted", () => {
    const sessions = createSessions();
    fill(sessions, "a");

    expect(sessions.get("a")).toEqual(record("a"));
    expect([sessions.delete("a"), sessions.delete("a")]).toEqual([true, false]);
    expect(sessions.get("a")).toBeUndefined();
  });

  test("are forgotten when their time is over, whether or not they were read", () => {
    const sessions = createSessions();
    fill(sessions, "a");
    vi.advanceTimersByTime(999);
    expect(list(sessions, "a")).toEqual(["a"]);

    vi.advanceTimersByTime(1);

    expect(list(sessions, "a")).toEqual([]);
    expect(sessions.size).toBe(0);
  });

  test("live on when they are touched, and are not brought back by that", () => {
    const sessions = createSessions();
    fill(sessions, "a");
    vi.advanceTimersByTime(900);
    sessions.touch("a", 1_000);
    vi.advanceTimersByTime(900);
    expect(list(sessions, "a")).toEqual(["a"]);

    sessions.delete("a");
    sessions.touch("a", 1_000);

    expect(list(sessions, "a")).toEqual([]);
  });

  test("that are idle give way to newer ones, the longest idle first", () => {
    const sessions = createSessions();
    fill(sessions, "a", "b", "c");
    sessions.touch("a", 1_000);

    fill(sessions, "d");

    expect(list(sessions, "a", "b", "c", "d")).toEqual(["a", "c", "d"]);
  });

  test("that are at work neither give way nor expire", () => {
    const sessions = createSessions(2, ["a"]);
    fill(sessions, "a", "b");

    fill(sessions, "c");
    expect(list(sessions, "a", "b", "c")).toEqual(["a", "c"]);
    vi.advanceTimersByTime(5_000);

    expect(list(sessions, "a", "c")).toEqual(["a"]);
  });

  test("have room while one of them is idle", () => {
    const [none, some] = [createSessions(2, ["a", "b"]), createSessions(2, ["a"])];
    fill(none, "a", "b");
    fill(some, "a", "b");

    expect([none.hasRoom, some.hasRoom, createSessions(1).hasRoom]).toEqual([false, true, true]);
  });

  test("let go of all that is over when others come", () => {
    const sessions = createSessions(1_000);
    fill(sessions, ...Array.from({ length: 100 }, (_, index) => `old ${index}`));
    vi.advanceTimersByTime(1_001);

    fill(sessions, "a", "b", "c", "d");

    expect(sessions.size).toBe(4);
  });
});

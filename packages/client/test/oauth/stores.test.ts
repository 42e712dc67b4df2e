import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { browserStore } from "../../src/oauth/browser-store.js";
import type { CredentialStore } from "../../src/oauth/credential-store.js";
import { memoryStore } from "../../src/oauth/memory-store.js";
import { fileStore } from "../../src/oauth/node/file-store.js";
import { createFakeStorage } from "./fake-storage.js";

const STORES: readonly (readonly [name: string, create: () => CredentialStore])[] = [
  ["memory", memoryStore],
  ["browser", () => browserStore({ storage: createFakeStorage() })],
  ["file", () => fileStore(join(createFolder(), "credentials.json"))],
];

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stores-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Resolves once the lock is held. */
async function hold(store: CredentialStore, key: string): Promise<{ held: Promise<void>; release: () => void }> {
  const { promise: work, resolve: release } = withResolve();
  const { promise: begun, resolve: begin } = withResolve();
  const held = store.lock(key, () => {
    begin();
    return work;
  });
  await begun;
  return { held, release };
}

function withResolve(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(STORES)("a %s store", (_name, create) => {
  test("gives back what was kept under a key, and nothing under others", async () => {
    const store = create();

    await store.set("a", { token: "x", nested: [1, { two: null }] });

    expect(await store.get("a")).toEqual({ token: "x", nested: [1, { two: null }] });
    expect(await store.get("b")).toBeUndefined();
  });

  test("keeps a copy, which nobody can change afterwards", async () => {
    const store = create();
    const value = { scopes: ["a"] };
    await store.set("k", value);

    value.scopes.push("b");
    Object.assign((await store.get("k"))!, { scopes: [] });

    expect(await store.get("k")).toEqual({ scopes: ["a"] });
  });

  test("forgets what is deleted, also what was never there", async () => {
    const store = create();
    await store.set("k", { n: 1 });

    await store.delete("k");
    await store.delete("never");

    expect(await store.get("k")).toBeUndefined();
  });

  test("keeps any key, also the names of members that objects have", async () => {
    const store = create();
    const keys = ["__proto__", "constructor", "https://a.example/x?y=z#1", "", "Größe\n"];

    for (const [at, key] of keys.entries()) await store.set(key, { at });

    for (const [at, key] of keys.entries()) expect(await store.get(key)).toEqual({ at });
    expect(await store.get("toString")).toBeUndefined();
  });

  test("runs work under one key one after the other, in the order of asking", async () => {
    const store = create();
    const steps: string[] = [];
    const work = async (name: string): Promise<void> => {
      steps.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} ends`);
    };

    await Promise.all(["1", "2", "3"].map((name) => store.lock("k", () => work(name))));

    expect(steps).toEqual(["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
  });

  test("runs work under different keys at once", async () => {
    const store = create();
    const { held, release } = await hold(store, "a");

    const other = await store.lock("b", async () => "free");
    release();
    await held;

    expect(other).toBe("free");
  });

  test("lets the next one in after work that failed, whose failure its caller gets", async () => {
    const store = create();
    const failing = store.lock("k", async () => {
      throw new RangeError("no");
    });

    await expect(failing).rejects.toThrow(RangeError);

    expect(await store.lock("k", async () => "next")).toBe("next");
  });

  test("ends a wait with the reason of the signal, and keeps the order of the others", async () => {
    const store = create();
    const reason = new Error("enough");
    const giveUp = new AbortController();
    const done: string[] = [];
    const { held, release } = await hold(store, "k");
    const waiting = store.lock("k", async () => done.push("given up"), giveUp.signal);
    const last = store.lock("k", async () => done.push("last"));

    giveUp.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(done).toEqual([]);
    release();
    await Promise.all([held, last]);

    expect(done).toEqual(["last"]);
  });

  test("begins no work once the signal has aborted, and does not interrupt work that began", async () => {
    const store = create();
    const during = new AbortController();

    const result = await store.lock(
      "k",
      async () => {
        during.abort();
        return "whole";
      },
      during.signal,
    );

    expect(result).toBe("whole");
    await expect(store.lock("k", async () => "never", AbortSignal.abort(new Error("late")))).rejects.toThrow("late");
  });
});

describe("a browser store", () => {
  test("puts its prefix before every name", async () => {
    const storage = createFakeStorage();

    await browserStore({ storage, prefix: "app/" }).set("k", { n: 1 });

    expect(storage.getItem("app/k")).toBe('{"n":1}');
  });

  test.each(["{", "null", "[1]", '"text"', ""])("takes an entry that is %s for none", async (text) => {
    const storage = createFakeStorage();
    storage.setItem("mortise:k", text);

    expect(await browserStore({ storage }).get("k")).toBeUndefined();
  });

  test("says so when the storage is full", async () => {
    const setItem = (): never => {
      throw new DOMException("full", "QuotaExceededError");
    };
    const store = browserStore({ storage: { ...createFakeStorage(), setItem } });

    await expect(store.set("k", { token: "s3cret" })).rejects.toMatchObject({ code: "login_failed" });
  });

  test("takes localStorage by itself", async () => {
    const storage = createFakeStorage();
    vi.stubGlobal("localStorage", storage);

    await browserStore().set("k", { n: 1 });

    expect(storage.getItem("mortise:k")).toBe('{"n":1}');
  });

  test("says so where there is no storage, or none that may be used", () => {
    vi.stubGlobal("localStorage", undefined);
    expect(() => browserStore()).toThrow(expect.objectContaining({ code: "invalid_options" }));

    vi.unstubAllGlobals();
    const original = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
    onTestFinished(() => {
      Reflect.deleteProperty(globalThis, "localStorage");
      if (original !== undefined) Object.defineProperty(globalThis, "localStorage", original);
    });
    const refuse = (): never => {
      throw new DOMException("denied", "SecurityError");
    };
    Object.defineProperty(globalThis, "localStorage", { get: refuse, configurable: true });
    expect(() => browserStore()).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });

  test("locks between tabs where there are Web Locks", async () => {
    const asked: unknown[] = [];
    const request = async (name: string, ...rest: unknown[]): Promise<unknown> => {
      asked.push([name, rest.length === 2]);
      return (rest.at(-1) as () => Promise<unknown>)();
    };
    vi.stubGlobal("navigator", { locks: { request } });
    const store = browserStore({ storage: createFakeStorage() });

    const results = await Promise.all([
      store.lock("k", async () => 1),
      store.lock("k", async () => 2, new AbortController().signal),
    ]);

    expect(results).toEqual([1, 2]);
    expect(asked).toEqual([
      ["mortise:k", false],
      ["mortise:k", true],
    ]);
  });
});

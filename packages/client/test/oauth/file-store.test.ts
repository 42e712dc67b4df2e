import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { withFileLock } from "../../src/oauth/node/file-lock.js";
import { fileStore } from "../../src/oauth/node/file-store.js";
import { failureOf } from "../open-client.js";

const WINDOWS = process.platform === "win32";

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "file-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(path: string): { store: ReturnType<typeof fileStore>; problems: string[] } {
  const problems: string[] = [];
  return { store: fileStore(path, { onProblem: (problem) => problems.push(problem.message) }), problems };
}

function modeOf(path: string): number {
  return statSync(path).mode & 0o777;
}

describe("a file store", () => {
  test.runIf(!WINDOWS)("makes the file where a link leads that leads to none yet", async () => {
    const folder = createFolder();
    symlinkSync(join("kept", "credentials.json"), join(folder, "link.json"));
    const { store } = open(join(folder, "link.json"));

    await store.set("a", { b: 1 });

    expect(readdirSync(join(folder, "kept"))).toEqual(["credentials.json"]);
    expect(await open(join(folder, "link.json")).store.get("a")).toEqual({ b: 1 });
  });

  test("makes its folder and its file for this user alone", async () => {
    const folder = join(createFolder(), "a", "b");
    const { store } = open(join(folder, "credentials.json"));

    await store.set("k", { n: 1 });

    expect(readdirSync(folder)).toEqual(["credentials.json"]);
    if (!WINDOWS) expect([modeOf(folder), modeOf(join(folder, "credentials.json"))]).toEqual([0o700, 0o600]);
  });

  test("makes nothing as long as it is only read", async () => {
    const folder = createFolder();

    expect(await open(join(folder, "none", "file")).store.get("k")).toBeUndefined();

    expect(readdirSync(folder)).toEqual([]);
  });

  test("is read by a store that is opened later", async () => {
    const path = join(createFolder(), "file");
    await open(path).store.set("k", { n: 1 });

    expect(await open(path).store.get("k")).toEqual({ n: 1 });
  });

  test("loses no entry when many are written at once, through several stores", async () => {
    const path = join(createFolder(), "file");
    const stores = [open(path).store, open(path).store];
    const keys = Array.from({ length: 12 }, (_, at) => `key ${at}`);

    await Promise.all(keys.map((key, at) => stores[at % 2]!.set(key, { at })));

    for (const [at, key] of keys.entries()) expect(await open(path).store.get(key)).toEqual({ at });
  });

  test.runIf(!WINDOWS)("tightens a file that others could read, and says so", async () => {
    const path = join(createFolder(), "file");
    await open(path).store.set("k", { n: 1 });
    chmodSync(path, 0o644);
    const { store, problems } = open(path);

    expect(await store.get("k")).toEqual({ n: 1 });

    expect(modeOf(path)).toBe(0o600);
    expect(problems).toHaveLength(1);
  });

  test.each(["", "{", "[]", '{"entries":{}}', '{"layout":1,"entries":[]}'])(
    "sets a file aside that holds %s, and says so",
    async (text) => {
      const folder = createFolder();
      const path = join(folder, "file");
      writeFileSync(path, text, { mode: 0o600 });
      const { store, problems } = open(path);

      expect(await store.get("k")).toBeUndefined();
      await store.set("k", { n: 1 });

      expect(await store.get("k")).toEqual({ n: 1 });
      expect(problems).toHaveLength(1);
      const aside = readdirSync(folder).find((name) => name.endsWith(".broken"));
      expect(readFileSync(join(folder, aside!), "utf8")).toBe(text);
    },
  );

  test("leaves a file of a later layout alone, and says so", async () => {
    const path = join(createFolder(), "file");
    const text = '{"layout":2,"entries":{}}';
    writeFileSync(path, text, { mode: 0o600 });
    const { store } = open(path);

    expect(await failureOf(store.get("k"))).toMatchObject({ code: "login_failed" });
    expect(await failureOf(store.set("k", {}))).toMatchObject({ code: "login_failed" });

    expect(readFileSync(path, "utf8")).toBe(text);
  });

  test("leaves entries out that are no objects", async () => {
    const path = join(createFolder(), "file");
    writeFileSync(path, '{"layout":1,"entries":{"a":1,"b":{"n":2}}}', { mode: 0o600 });
    const { store } = open(path);

    expect([await store.get("a"), await store.get("b")]).toEqual([undefined, { n: 2 }]);
  });

  test.runIf(!WINDOWS)("writes through a link, which stays one", async () => {
    const folder = createFolder();
    const [real, link] = [join(folder, "real"), join(folder, "link")];
    await open(real).store.set("a", { n: 1 });
    symlinkSync(real, link);

    await open(link).store.set("b", { n: 2 });

    expect(await open(real).store.get("b")).toEqual({ n: 2 });
  });

  test("fails with the reason of the system, and leaves nothing behind", async () => {
    const folder = createFolder();
    const path = join(folder, "file");
    mkdirSync(path);
    const { store } = open(path);

    const error = await failureOf(store.set("k", { secret: "s3cret-value" }));

    expect(error).toMatchObject({ code: "login_failed" });
    expect(error.message).toContain("EISDIR");
    expect(error.message).not.toContain("s3cret");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  test("fails where there can be no folder", async () => {
    const path = join(createFolder(), "file");
    writeFileSync(path, "");

    const error = await failureOf(open(join(path, "below")).store.lock("k", async () => 1));

    expect(error).toMatchObject({ code: "login_failed" });
  });

  test("refuses a path that is none", () => {
    expect(() => fileStore("")).toThrow(expect.objectContaining({ code: "invalid_options" }));
  });
});

describe("a lock file", () => {
  const times = { beatMs: 20, silentMs: 200 };

  test("names its owner while it is held, and is gone afterwards", async () => {
    const folder = createFolder();
    const path = join(folder, "lock");

    const text = await withFileLock(path, async () => readFileSync(path, "utf8"));

    expect(JSON.parse(text)).toMatchObject({ pid: process.pid, place: expect.stringContaining(hostname()) });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("of another machine is taken over once it is silent", async () => {
    const path = join(createFolder(), "lock");
    writeFileSync(path, JSON.stringify({ token: "0".repeat(32), pid: process.pid, place: "elsewhere" }));

    expect(await withFileLock(path, async () => "taken over", { times })).toBe("taken over");
  });

  test("without an owner's name is taken over once it is silent", async () => {
    const path = join(createFolder(), "lock");
    writeFileSync(path, "");

    expect(await withFileLock(path, async () => "taken over", { times })).toBe("taken over");
  });

  test("is not taken over while its owner shows that it lives", async () => {
    const path = join(createFolder(), "lock");
    const giveUp = new AbortController();
    const reason = new Error("enough");
    let release = (): void => {};
    const work = new Promise<void>((resolve) => {
      release = resolve;
    });
    const held = withFileLock(path, () => work, { times });
    await expect.poll(() => existsSync(path)).toBe(true);

    const waiting = withFileLock(path, async () => "stolen", { times, signal: giveUp.signal });
    setTimeout(() => giveUp.abort(reason), 3 * times.silentMs);

    await expect(waiting).rejects.toBe(reason);
    release();
    await held;
  });

  test("that is stale lets one of many in at a time", async () => {
    const folder = createFolder();
    const path = join(folder, "lock");
    writeFileSync(path, JSON.stringify({ token: "0".repeat(32), pid: 1, place: "elsewhere" }));
    let [inside, most, done] = [0, 0, 0];

    await Promise.all(
      Array.from({ length: 8 }, () =>
        withFileLock(
          path,
          async () => {
            inside += 1;
            most = Math.max(most, inside);
            await new Promise((resolve) => setTimeout(resolve, 2));
            inside -= 1;
            done += 1;
          },
          { times },
        ),
      ),
    );

    expect([most, done]).toEqual([1, 8]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that its owner lost is not taken away from the new one", async () => {
    const path = join(createFolder(), "lock");
    const other = JSON.stringify({ token: "1".repeat(32), pid: process.pid, place: "elsewhere" });

    await withFileLock(path, async () => writeFileSync(path, other));

    expect(readFileSync(path, "utf8")).toBe(other);
  });
});

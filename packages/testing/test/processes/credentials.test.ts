import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fileStore } from "@mortise/client/oauth/node";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const SOURCE = fileURLToPath(new URL("../programs/credential-worker.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "credential-program-"));
const program = join(folder, "worker.mjs");

beforeAll(async () => {
  await build({
    entryPoints: [SOURCE],
    outfile: program,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    logLevel: "warning",
  });
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function start(path: string, task: "hold" | "count", rounds = 0): { child: ChildProcess; left: Promise<unknown> } {
  const child = fork(program, [path, task, String(rounds)], { execArgv: [] });
  const left = once(child, "exit");
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await left;
  });
  return { child, left };
}

function createPath(): { folder: string; path: string } {
  const own = mkdtempSync(join(folder, "store-"));
  return { folder: own, path: join(own, "credentials.json") };
}

describe("processes that share a file of credentials", () => {
  test("hold its lock one at a time", async () => {
    const { folder: own, path } = createPath();

    const workers = Array.from({ length: 4 }, () => start(path, "count", 10));
    const codes = await Promise.all(workers.map(({ left }) => left));

    expect(codes).toEqual([0, 0, 0, 0].map((code) => [code, null]));
    expect(await fileStore(path).get("counter")).toEqual({ count: 40 });
    expect(readdirSync(own)).toEqual(["credentials.json"]);
  });

  test("go on when one is killed while it holds the lock", async () => {
    const { folder: own, path } = createPath();
    const holder = start(path, "hold");
    await once(holder.child, "message");

    const workers = [start(path, "count", 5), start(path, "count", 5)];
    holder.child.kill("SIGKILL");
    await Promise.all([holder.left, ...workers.map(({ left }) => left)]);

    expect(await fileStore(path).get("counter")).toEqual({ count: 10 });
    expect(readdirSync(own)).toEqual(["credentials.json"]);
  });
});

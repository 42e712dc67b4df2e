import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { isObject } from "@mortise/core";
import { expect, inject, test, vi } from "vitest";
import { isAlive, SCRIPTED_SERVER, startSession } from "./server-process.js";

test("lets the process leave by itself when its input ends", async () => {
  const session = await startSession(["echo"]);
  await session.ask();

  await session.transport.close();

  await expect(session.closed).resolves.toBeUndefined();
  expect(isAlive(session.transport.pid ?? 0)).toBe(false);
});

test.each(["deaf", "stubborn"])("ends a process that is %s", async (mode) => {
  const session = await startSession([mode], { closeTimeout: 200 });
  await session.notice();

  await session.transport.close();

  await expect(session.closed).resolves.toBeUndefined();
  expect(isAlive(session.transport.pid ?? 0)).toBe(false);
});

test("closes once, however often it is asked to", async () => {
  const session = await startSession(["echo"]);

  await Promise.all([session.transport.close(), session.transport.close()]);
  await session.transport.close();

  await expect(session.closed).resolves.toBeUndefined();
});

test("ends what the process has left behind in its group", async () => {
  const session = await startSession(["wrapper"]);
  const ready = await session.notice();
  const inner = isObject(ready) && isObject(ready.params) ? Number(ready.params.pid) : 0;
  expect(isAlive(inner)).toBe(true);

  await session.transport.close();

  await vi.waitFor(() => expect(isAlive(inner)).toBe(false), 2_000);
});

test.each([
  ["exit", undefined],
  ["throw", undefined],
  ["be interrupted", "SIGINT"],
  ["be terminated", "SIGTERM"],
  ["be killed", "SIGKILL"],
] as const)("leaves no child behind when this process should %s", async (how, signal) => {
  const parent = spawn(process.execPath, [join(inject("programs"), "parent.mjs"), SCRIPTED_SERVER, how], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = await once(parent.stdout, "data");
  const child = Number(String(line));

  if (signal !== undefined) parent.kill(signal);
  await once(parent, "exit");

  expect(child).toBeGreaterThan(0);
  expect(parent.signalCode).toBe(signal ?? null);
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), 2_000);
});

test("asks children to end before a signal ends this process", async () => {
  const parent = spawn(process.execPath, [
    join(inject("programs"), "parent.mjs"),
    SCRIPTED_SERVER,
    "be terminated gently",
  ]);
  let stderr = "";
  parent.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  await once(parent.stdout, "data");

  parent.kill("SIGTERM");
  await once(parent, "close");

  expect({ stderr, signal: parent.signalCode }).toEqual({ stderr: "goodbye\n", signal: "SIGTERM" });
});

test("leaves it to a program that listens for a signal, even once, how it ends", async () => {
  const parent = spawn(
    process.execPath,
    [join(inject("programs"), "parent.mjs"), SCRIPTED_SERVER, "handle a signal itself"],
    {
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const [line] = await once(parent.stdout, "data");

  parent.kill("SIGTERM");
  await once(parent, "exit");

  expect({ code: parent.exitCode, signal: parent.signalCode }).toEqual({ code: 7, signal: null });
  await vi.waitFor(() => expect(isAlive(Number(String(line)))).toBe(false), 2_000);
});

test("many processes at once cause no warning about listeners", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);

  const sessions = await Promise.all(Array.from({ length: 12 }, () => startSession(["echo"])));
  await Promise.all(sessions.map((session) => session.transport.close()));

  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  expect(process.listenerCount("exit")).toBeLessThan(10);
});

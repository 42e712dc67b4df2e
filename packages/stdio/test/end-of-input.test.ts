import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { call, modern, pause, startServer } from "./stdio-process.js";

/** Answers that come at once, later, and slowly because they are large. */
const BATCH = [
  ...[1, 2, 3, 4, 5, 6].map((id) => call(id, "echo", { text: `text ${id}` })),
  call(7, "sleep", { ms: 300 }),
  call(8, "large", { size: 5_000_000 }),
  modern(9, "tools/list"),
  call(10, "sleep", { ms: 100 }),
];
const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

function sortedIds(messages: readonly { readonly id?: unknown }[]): unknown[] {
  return messages.map(({ id }) => id).sort((a, b) => Number(a) - Number(b));
}

test("ends the process although a timer and a listener keep it alive", async () => {
  const server = startServer({ busy: true });
  await server.ask(modern(1, "tools/list"));
  const started = performance.now();

  server.child.stdin.end();

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("lets the process end by itself when nothing keeps it alive", async () => {
  const server = startServer();
  await server.ask(modern(1, "tools/list"));

  server.child.stdin.end();

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(server.stderr()).toBe("left by itself\n");
});

test("leaves the process alone when told to", async () => {
  const server = startServer({ busy: true, exitOnEof: false });
  await server.ask(modern(1, "tools/list"));

  server.child.stdin.end();
  await pause(1_200);

  expect(server.child.exitCode).toBeNull();
});

test("ends when its parent is killed", async () => {
  const program = join(inject("programs"), "server.mjs");
  // The parent hands its own pipes on, so that their ends close when it is killed and nobody else closes them.
  const script = `const { spawn } = require("node:child_process");
    const child = spawn(process.execPath, [${JSON.stringify(program)}, '{"busy":true}'], { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout.once("data", () => console.log(child.pid));
    child.stdin.write(${JSON.stringify(`${JSON.stringify(modern(1, "tools/list"))}\n`)});`;
  const parent = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "pipe"] });
  const stderrClosed = new Promise<void>((resolve) => parent.stderr.resume().once("end", resolve));
  await new Promise((resolve) => parent.stdout.once("data", resolve));
  const started = performance.now();

  parent.kill("SIGKILL");
  await stderrClosed; // held by the server to its end

  expect(performance.now() - started).toBeLessThan(2_000);
});

test.each(Array.from({ length: 5 }, (_, round) => round + 1))(
  "answers everything that came before the end, round %i",
  async () => {
    const server = startServer();

    server.send(...BATCH);
    server.child.stdin.end();

    await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
    expect(sortedIds(server.messages())).toEqual(IDS);
  },
);

test("writes every answer into a file before it ends", async () => {
  const folder = mkdtempSync(join(tmpdir(), "stdio-files-"));
  writeFileSync(join(folder, "in"), BATCH.map((message) => `${JSON.stringify(message)}\n`).join(""));
  const [input, output] = [openSync(join(folder, "in"), "r"), openSync(join(folder, "out"), "w")];

  const child = spawn(process.execPath, [join(inject("programs"), "server.mjs")], { stdio: [input, output, "ignore"] });
  const code = await new Promise((resolve) => child.once("exit", resolve));

  const lines = readFileSync(join(folder, "out"), "utf8").trimEnd().split("\n");
  expect(code).toBe(0);
  expect(sortedIds(lines.map((line) => JSON.parse(line)))).toEqual(IDS);
  closeSync(input);
  closeSync(output);
  rmSync(folder, { recursive: true });
});

test("waits for a reader that is slower than its patience, as long as it reads", async () => {
  const size = 3_000_000;
  const child = startUnread({ drainTimeout: 400 });
  const exited = once(child, "exit");
  child.stdout.on("readable", () => undefined); // without it Node throws away what is unread when the process exits
  child.stdin.end(`${JSON.stringify(call(1, "large", { size }))}\n`);

  let received = "";
  while (!child.stdout.readableEnded) {
    await pause(25);
    received += child.stdout.read(48 * 1024) ?? child.stdout.read() ?? "";
  }

  expect(await exited).toEqual([0, null]);
  expect(JSON.parse(received)).toMatchObject({ id: 1, result: { content: [{ text: "x".repeat(size) }] } });
});

test("gives up a reader that stands still", async () => {
  const child = startUnread({ drainTimeout: 300 });
  const started = performance.now();

  child.stdin.end(`${JSON.stringify(call(1, "large", { size: 3_000_000 }))}\n`);

  expect(await once(child, "exit")).toEqual([0, null]);
  expect(performance.now() - started).toBeLessThan(3_000);
  child.stdout.destroy();
});

test("aborts calls that outlast the patience, and ends", async () => {
  const server = startServer({ drainTimeout: 200 });
  server.send(call(1, "sleep", { ms: 60_000 }), call(2, "echo", { text: "quick" }));
  const started = performance.now();

  server.child.stdin.end();

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(sortedIds(server.messages())).toEqual([2]);
  expect(performance.now() - started).toBeLessThan(2_500);
});

test("aborts calls at the end of the input when told to", async () => {
  const server = startServer({ onEof: "abort" });
  server.send(call(1, "sleep", { ms: 60_000 }));
  await server.ask(modern(2, "tools/list"));
  const started = performance.now();

  server.child.stdin.end();

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(sortedIds(server.messages())).toEqual([2]);
  expect(performance.now() - started).toBeLessThan(2_000);
});

/** Starts the server with nobody at its output. */
function startUnread(options: Record<string, unknown>): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [join(inject("programs"), "server.mjs"), JSON.stringify(options)]);
}

import { expect, test } from "vitest";
import { readCpuMs } from "./cpu-time.js";
import { call, modern, pause, type StdioProcess, startServer } from "./stdio-process.js";

test.each([
  ["its output alone", false],
  ["both streams", true],
])("ends quietly and aborts handlers when the client closes %s", async (_which, both) => {
  const server = startServer({ busy: true });
  server.send(call(1, "report", {}, { progressToken: "p" }));
  await server.find(({ method }) => method === "notifications/progress");
  const before = readCpuMs(server.child.pid);
  const started = performance.now();

  server.child.stdout.destroy();
  if (both) server.child.stdin.destroy();
  await pause(250);
  const used = server.child.exitCode === null ? readCpuMs(server.child.pid) - before : 0;
  const exit = await server.exit;

  expect(exit).toEqual({ code: 0, signal: null });
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(used).toBeLessThan(300);
  expect(server.stderr()).toBe("aborted\n");
});

test("ends when nobody reads its output, even while nobody hears its stderr", async () => {
  const server = startServer({ busy: true });
  server.send(call(1, "report", {}, { progressToken: "p" }));
  await server.find(({ method }) => method === "notifications/progress");

  server.child.stderr.destroy();
  server.child.stdout.destroy();

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
});

test("ends at a message that is too long, with one line that says why", async () => {
  const server = startServer({ maxMessageBytes: 1_000, busy: true });

  server.send(
    call(1, "echo", { text: "short" }),
    call(2, "echo", { text: "x".repeat(1_000) }),
    call(3, "echo", { text: "late" }),
  );
  const exit = await server.exit;

  expect(exit).toEqual({ code: 1, signal: null });
  expect(outcomes(server)).toEqual(["-32600 without id", "1 answered"]);
  expect(server.stderr()).toBe('[mortise] A message is longer than "maxMessageBytes" (1000): the connection ends\n');
});

test("skips a message that is too long when told to", async () => {
  const server = startServer({ maxMessageBytes: 1_000, onOversize: "skip" });

  server.send(call(2, "echo", { text: "x".repeat(5_000_000) }));
  const next = await server.ask(call(3, "echo", { text: "next" }));

  expect(next.result).toBeDefined();
  expect(server.messages()[0]?.error?.code).toBe(-32600);
});

test.each([
  ["1 MiB by default", {}, 1_048_576],
  ["what it is set to", { maxMessageBytes: 5_000 }, 5_000],
])("accepts messages up to %s, the line end not counted", async (_what, options, limit) => {
  const server = startServer({ ...options, onOversize: "skip" });
  const line = (id: number, size: number): string => {
    const empty = JSON.stringify(call(id, "echo", { text: "" }));
    return empty.replace('"text":""', `"text":"${"x".repeat(size - empty.length)}"`);
  };

  server.write(`${line(1, limit)}\r\n${line(2, limit + 1)}\n`);
  server.send(modern(3, "tools/list"));
  await Promise.all([server.find(({ id }) => id === 1), server.find(({ id }) => id === 3)]);

  expect(outcomes(server)).toEqual(["-32600 without id", "1 answered", "3 answered"]);
});

/** What came of each request, in alphabetical order. */
function outcomes(server: StdioProcess): string[] {
  const told = server
    .messages()
    .map(({ id, error }) => `${error?.code ?? id} ${id === undefined ? "without id" : "answered"}`);
  return told.sort();
}

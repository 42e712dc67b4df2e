import { tmpdir } from "node:os";
import { expect, test, vi } from "vitest";
import { spawnServer } from "../src/client.js";
import { SCRIPTED_SERVER, startSession } from "./server-process.js";

const SEPARATORS = "a\u2028b\u2029c\u0085d\u000be\u000cf\rg";
const WIDE = "Größe 東京 🙂 é";
const EVENTS = { onMessage: () => undefined, onClose: () => undefined, onError: () => undefined };

test("carries separators other than the newline as data, both ways", async () => {
  const session = await startSession(["echo"]);

  const result = await session.ask({ text: SEPARATORS });

  expect(result).toEqual({ text: SEPARATORS });
  expect(session.messages).toHaveLength(1);
});

test("rejoins characters and line ends that arrive byte by byte", async () => {
  const session = await startSession(["drip"]);

  const result = await session.ask({ text: WIDE });

  expect(result).toEqual({ text: WIDE });
});

test("passes arguments on as they are, without a shell", async () => {
  const args = ["plain", "a b", "x&calc", "$HOME", "`id`", '"q"', "*", "", "; exit 3"];
  const session = await startSession(["describe", ...args]);

  const result = await session.ask();

  expect(result).toMatchObject({ argv: args });
});

test("lays explicit variables over a safe part of its own, without the secrets", async () => {
  vi.stubEnv("SECRET_X", "s3cret");
  const session = await startSession(["describe"], { command: "node", env: { API_TOKEN: "t" } });

  const result = await session.ask();

  expect(result).toMatchObject({ env: { API_TOKEN: "t", PATH: process.env.PATH } });
  expect(JSON.stringify(result)).not.toContain("s3cret");
  vi.unstubAllEnvs();
});

test("starts in the folder it is given", async () => {
  const session = await startSession(["describe"], { cwd: tmpdir() });

  const result = await session.ask();

  expect(result).toMatchObject({ cwd: tmpdir() });
});

test("rejects when the command does not exist", async () => {
  const transport = spawnServer({ command: "no-such-program-anywhere" });

  await expect(transport.start(EVENTS)).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("command not found"),
  });
});

test("a command that holds its arguments is told where they belong", async () => {
  const transport = spawnServer({ command: "node server.js" });

  await expect(transport.start(EVENTS)).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining('"args"'),
  });
});

test("rejects when the folder does not exist, and says so", async () => {
  const transport = spawnServer({ command: process.execPath, cwd: "/no/such/folder" });

  await expect(transport.start(EVENTS)).rejects.toMatchObject({
    code: "connection_failed",
    message: expect.stringContaining("/no/such/folder"),
  });
});

test("rejects when the file cannot be executed", async () => {
  const transport = spawnServer({ command: SCRIPTED_SERVER });

  await expect(transport.start(EVENTS)).rejects.toMatchObject({ code: "connection_failed" });
});

test("rejects arguments that no program can receive", async () => {
  const transport = spawnServer({ command: process.execPath, args: ["a\0b"] });

  await expect(transport.start(EVENTS)).rejects.toMatchObject({ code: "connection_failed" });
});

test("cannot be started twice", async () => {
  const { transport } = await startSession(["echo"]);

  await expect(transport.start(EVENTS)).rejects.toMatchObject({ code: "connection_closed" });
});

test("refuses to send before it was started", () => {
  const transport = spawnServer({ command: process.execPath });

  expect(() => transport.send({ jsonrpc: "2.0", method: "x" })).toThrow("Call start() before send()");
});

test("tells of an exit with its code, and of the last words in the cause", async () => {
  const session = await startSession(["exit", "3"]);
  void session.ask();

  const error = await session.closed;

  expect(error).toMatchObject({
    code: "connection_closed",
    message: `MCP server process '${process.execPath}' exited (code 3)`,
    cause: { message: expect.stringContaining("could not read the configuration") },
  });
  expect(session.transport.stderrTail).toBe("could not read the configuration");
});

test("tells of an end by a signal", async () => {
  const session = await startSession(["die"]);
  void session.ask();

  const error = await session.closed;

  expect(error?.message).toBe(`MCP server process '${process.execPath}' exited (signal SIGKILL)`);
});

test("refuses to send after the process has exited", async () => {
  const session = await startSession(["exit", "0"]);
  void session.ask();
  await session.closed;

  expect(() => session.transport.send({ jsonrpc: "2.0", method: "x" })).toThrow(
    expect.objectContaining({ code: "connection_closed" }),
  );
});

test("ends a process that closes its output and lives on", async () => {
  const session = await startSession(["mute"]);
  void session.ask();

  const error = await session.closed;

  expect(error).toMatchObject({ code: "connection_closed", message: expect.stringContaining("closed its output") });
});

test("is not held up by megabytes of stderr and keeps the end of them", async () => {
  const session = await startSession(["chatty"]);

  await session.ask();

  expect(session.transport.stderrTail).toMatch(/warning: grüße\nlast words$/);
  expect(session.transport.stderrTail.length).toBeLessThanOrEqual(8 * 1024);
});

test("gives stderr to a function as text", async () => {
  const parts: string[] = [];
  const session = await startSession(["chatty"], { stderr: (text) => void parts.push(text) });

  await session.ask();
  await session.transport.close();

  expect(parts.join("")).toBe(`${"warning: grüße\n".repeat(400_000)}last words\n`);
});

test("reports lines that are no messages and goes on", async () => {
  const session = await startSession(["noisy"], { maxMessageBytes: 1_000, onOversize: "skip" });

  const result = await session.ask();

  expect(result).toEqual({});
  expect(session.errors).toMatchObject([
    { code: "parse_error" },
    { code: "parse_error" },
    { code: "response_too_large" },
  ]);
});

test("quotes the beginning of a line that is no JSON in the cause", async () => {
  const session = await startSession(["noisy"], { maxMessageBytes: 1_000, onOversize: "skip" });

  await session.ask();

  expect(session.errors[0]).toMatchObject({ cause: { message: expect.stringContaining("Server is listening") } });
});

test("ends at a message that is too long", async () => {
  const session = await startSession(["noisy"], { maxMessageBytes: 1_000 });
  void session.ask();

  const error = await session.closed;

  expect(error).toMatchObject({ code: "response_too_large" });
});

test("makes senders wait while the process does not read", async () => {
  const session = await startSession(["late"]);
  const started = performance.now();
  const params = { text: "x".repeat(100_000) };

  const asked = Array.from({ length: 20 }, () => session.ask(params));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const waited = session.transport.send({ jsonrpc: "2.0", id: "last", method: "ask", params });
  await waited;

  expect(waited).toBeInstanceOf(Promise);
  expect(performance.now() - started).toBeGreaterThan(200);
  await expect(Promise.all(asked)).resolves.toHaveLength(20);
});

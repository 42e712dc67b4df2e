import { stdio } from "@mortise/stdio";
import { spawnServer } from "@mortise/stdio/client";
import { expect, test } from "vitest";

const INVALID: object = expect.objectContaining({ code: "invalid_options" });

test.each([
  null,
  "inherit",
  { input: "stdin" },
  { output: {} },
  { maxMessageBytes: "1MB" },
  { maxMessageBytes: 0 },
  { onOversize: "drop" },
  { onEof: true },
  { drainTimeout: Number.NaN },
  { guardStdout: "yes" },
  { exitOnEof: 0 },
  { onError: "console" },
])("stdio() refuses %j", (options) => {
  expect(() => stdio(options as never)).toThrow(INVALID);
});

test.each([
  undefined,
  { command: "" },
  { command: 5 },
  { args: "server.js" },
  { args: [1] },
  { env: { PORT: 3000 } },
  { cwd: 5 },
  { stderr: "pipe" },
  { maxMessageBytes: -1 },
  { onOversize: "drop" },
  { closeTimeout: -1 },
])("spawnServer() refuses %j", (options) => {
  const given = options === undefined ? options : { command: "node", ...options };
  expect(() => spawnServer(given as never)).toThrow(INVALID);
});

test("what is undefined is as if it were not there", () => {
  stdio({ maxMessageBytes: undefined, onEof: undefined });
  spawnServer({ command: "node", args: undefined, env: { A: undefined }, stderr: undefined });
});

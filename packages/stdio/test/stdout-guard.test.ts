import { expect, test } from "vitest";
import { call, startServer, textOf } from "./stdio-process.js";

const PRINTED = ["log", "info", "debug", "raw"];

test("keeps what handlers print off stdout and shows it on stderr", async () => {
  const server = startServer();

  const answer = await server.ask(call(1, "print"));
  server.child.stdin.end();
  await server.exit;

  expect(textOf(answer)).toBe("printed");
  expect(server.lines).toHaveLength(1);
  expect(server.stderr().split("\n").slice(0, 4)).toEqual(PRINTED);
});

test("lets others write to stdout when told to", async () => {
  const server = startServer({ guardStdout: false });

  server.send(call(1, "print"));
  server.child.stdin.end();
  await server.exit;

  expect(server.lines.slice(0, 4)).toEqual(PRINTED);
  expect(server.stderr()).toBe("left by itself\n");
});

test("gives stdout back and lets the process go on after an explicit close", async () => {
  const server = startServer({ closeAfter: 100, busy: true });

  await new Promise<void>((resolve) =>
    server.child.stdout.on("data", () => server.lines.includes("closed") && resolve()),
  );

  expect(server.child.exitCode).toBeNull();
  expect(server.stderr()).toBe("");
});

test("lets the process end by itself after an explicit close, with its input still open", async () => {
  const server = startServer({ closeAfter: 100 });

  await expect(server.exit).resolves.toEqual({ code: 0, signal: null });
  expect(server.lines).toEqual(["closed"]);
});

import { EventEmitter } from "node:events";
import { expect, test, vi } from "vitest";
import { resolveCommand } from "../src/resolve-command.js";
import { createServerProcess } from "../src/spawn-server.js";

const INTERPRETER = "C:\\Windows\\System32\\cmd.exe";
const ENVIRONMENT = {
  Path: 'C:\\Windows;"C:\\Program Files\\nodejs";C:\\tools',
  PATHEXT: ".COM;.EXE;.BAT;.CMD;.VBS;.JS",
  ComSpec: INTERPRETER,
};
const FILES = [
  "C:\\Program Files\\nodejs\\node.exe",
  "C:\\Program Files\\nodejs\\npx",
  "C:\\Program Files\\nodejs\\npx.cmd",
  "C:\\tools\\run.cmd",
  "C:\\tools\\script.js",
  "C:\\tools\\uvx.exe",
  "C:\\work\\local.bat",
  "C:\\work\\npx.cmd",
];

function resolveOnWindows(command: string, args: readonly string[] = []) {
  return resolveCommand({
    command,
    args,
    cwd: "C:\\work",
    platform: "win32",
    environment: ENVIRONMENT,
    isFile: (path) => FILES.includes(path),
  });
}

test.each([
  ["npx", "C:\\Program Files\\nodejs\\npx.cmd"],
  ["C:\\tools\\run.cmd", "C:\\tools\\run.cmd"],
  ["C:/tools/run.cmd", "C:\\tools\\run.cmd"],
  [".\\local", "C:\\work\\local.bat"],
])("runs the batch file behind %s through the interpreter", (command, file) => {
  const launch = resolveOnWindows(command, ["a b"]);

  expect(launch).toEqual({
    file: INTERPRETER,
    args: ["/d", "/e:on", "/v:off", "/s", "/c", `""${file}" "a b""`],
    verbatim: true,
  });
});

test.each([
  ["node", "C:\\Program Files\\nodejs\\node.exe"],
  ["uvx.exe", "C:\\tools\\uvx.exe"],
  ["uvx", "C:\\tools\\uvx.exe"],
  ["C:\\tools\\uvx", "C:\\tools\\uvx.exe"],
])("starts the program behind %s directly", (command, file) => {
  const launch = resolveOnWindows(command, ["a b", "%PATH%"]);

  expect(launch).toEqual({ file, args: ["a b", "%PATH%"], verbatim: false });
});

test.each(["missing", "script"])("leaves %s to the system, which will not find it", (command) => {
  expect(resolveOnWindows(command)).toEqual({ file: command, args: [], verbatim: false });
});

test("leaves commands alone elsewhere", () => {
  const launch = resolveCommand({
    command: "run.cmd",
    args: ["x&calc"],
    cwd: "/",
    platform: "linux",
    environment: {},
    isFile: () => true,
  });

  expect(launch).toEqual({ file: "run.cmd", args: ["x&calc"], verbatim: false });
});

test.each(["linux", "darwin", "win32"] as const)("never asks for a shell on %s", async (platform) => {
  const spawn = vi.fn(() => {
    const child = new EventEmitter();
    setImmediate(() => child.emit("error", new Error("only a spy")));
    return child;
  });
  const transport = createServerProcess(
    { command: "npx", args: ["-y", "x&calc"] },
    // The spy has only what a process that fails to start needs.
    { platform, environment: ENVIRONMENT, spawn: spawn as never, isFile: (path) => FILES.includes(path) },
  );

  const starting = transport.start({ onMessage: vi.fn(), onClose: vi.fn(), onError: vi.fn() });

  await expect(starting).rejects.toMatchObject({ code: "connection_failed" });
  expect(spawn).toHaveBeenCalledExactlyOnceWith(
    platform === "win32" ? INTERPRETER : "npx",
    platform === "win32" ? expect.arrayContaining(["/c"]) : ["-y", "x&calc"],
    expect.objectContaining({
      shell: false,
      detached: platform !== "win32",
      windowsVerbatimArguments: platform === "win32",
    }),
  );
});

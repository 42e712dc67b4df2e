import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

/** The built command. */
export const COMMAND: string = fileURLToPath(new URL("../dist/main.js", import.meta.url));

/** How the command is started. */
export interface CommandOptions {
  /** Laid over an environment that has nothing but what a program needs to start. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default an empty folder */
  readonly cwd?: string;
  /** What it is given on stdin, which then ends. @default nothing, and stdin stays open */
  readonly input?: string;
}

/** The command in a process of its own. */
export interface CommandProcess {
  readonly child: ChildProcess;
  /** Sends messages, each on a line. */
  send(...messages: readonly object[]): void;
  /** Resolves with the first part of stderr that the pattern finds. */
  findInStderr(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<CommandEnd>;
}

/** How it ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

const opened: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of opened.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder that is gone after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "mortise-command-"));
  folders.push(folder);
  return folder;
}

/** An environment without keys, in which a program can start. */
export function createEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: createFolder(), ...env };
}

/** Starts the command. It is ended after the test at the latest. */
export function startCommand(args: readonly string[], options: CommandOptions = {}): CommandProcess {
  const { env, cwd = createFolder(), input } = options;
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: createEnvironment(env) });
  opened.push(child);
  child.stdin.on("error", () => undefined); // a command that ends early reads nothing
  if (input !== undefined) child.stdin.end(input);
  let said = "";
  let heard = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    heard += chunk;
  });
  return {
    child,
    send(...messages) {
      child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    },
    async findInStderr(pattern) {
      for (;;) {
        const found = pattern.exec(heard);
        if (found !== null) return found;
        await once(child.stderr, "data");
      }
    },
    ended: once(child, "close").then(([code, signal]) => ({ code, signal, stdout: said, stderr: heard })),
  };
}

/** Runs the command to its end. */
export function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandEnd> {
  return startCommand(args, { input: "", ...options }).ended;
}

/** A request of a modern client. */
export function createRequest(id: number, method: string, params: Readonly<Record<string, unknown>> = {}): object {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
}

import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { isObject, MortiseError, type PipeTransport } from "@mortise/core";
import { expectByteLimit, expectChoice, expectOption, expectOptions, expectTime } from "./check-options.js";
import type { Environment } from "./child-environment.js";
import { type ChildHost, launchProcess } from "./launch-process.js";
import { type RunningProcess, runProcess } from "./running-process.js";
import type { StderrTarget } from "./stderr-tail.js";

/** How a server is started as a child process, and what it may do. */
export interface SpawnServerOptions {
  /** The program: a path, or a name that is looked up in the search path. Never run through a shell. */
  readonly command: string;
  /** Its arguments, passed on exactly as they are. @default [] */
  readonly args?: readonly string[] | undefined;
  /**
   * Environment variables, laid over the few that are inherited (`PATH`, `HOME`, `LANG` and the like). Others of this process,
   * such as tokens, are not inherited: name them here. `undefined` takes an inherited one away. @default {}
   */
  readonly env?: Environment | undefined;
  /** The folder it starts in. @default the current one */
  readonly cwd?: string | URL | undefined;
  /**
   * What happens to its stderr, which is always read and whose last 8 KiB are kept for error causes: nothing else, or passed on
   * to this process's stderr, or given to a function as text. @default "keep"
   */
  readonly stderr?: StderrTarget | undefined;
  /** Longest message accepted from it, in bytes, its line end excluded. @default 67_108_864 */
  readonly maxMessageBytes?: number | undefined;
  /** What a longer message does: end the connection, or get dropped and reported. @default "end" */
  readonly onOversize?: "end" | "skip" | undefined;
  /** How long `close()` waits after closing stdin, and again after SIGTERM, before its next step, in milliseconds. @default 2_000 */
  readonly closeTimeout?: number | undefined;
}

/** A server in a child process. */
export interface ServerProcess extends PipeTransport {
  /** Its process id, once started. */
  readonly pid: number | undefined;
  /** The last 8 KiB it wrote to stderr, as text. */
  readonly stderrTail: string;
}

/**
 * Runs an MCP server as a child process and speaks with it over its standard streams. Nothing starts before `start()`, which
 * rejects with `connection_failed` when the program cannot be started. When the process ends without being asked to, `onClose`
 * gets a `connection_closed` error whose cause has the last lines of its stderr. `close()` closes its stdin, waits, then sends
 * SIGTERM and at last SIGKILL to its whole process group. No child outlives this process, unless this one is killed outright
 * and the child ignores the end of its input. Throws `invalid_options` that names the option.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 *
 * @example
 * const transport = spawnServer({ command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] });
 */
export function spawnServer(options: SpawnServerOptions): ServerProcess {
  return createServerProcess(options, { platform: process.platform, environment: process.env, spawn, isFile });
}

/** The same with all that it takes from its surroundings given, for tests. @package */
export function createServerProcess(options: SpawnServerOptions, host: ChildHost): ServerProcess {
  checkOptions(options);
  let running: RunningProcess | undefined;
  let state: "new" | "started" | "closed" = "new";

  // A function, because close() may run while start() waits, which the compiler does not see.
  const isClosed = (): boolean => state === "closed";

  return {
    get pid() {
      return running?.pid;
    },
    get stderrTail() {
      return running?.stderrTail ?? "";
    },
    async start(events) {
      if (state !== "new") {
        throw new MortiseError(
          "connection_closed",
          "Expected start() to be called once: create another transport to start again",
        );
      }
      state = "started";
      const child = await launchProcess(options, host);
      running = runProcess(child, options, events, host.platform);
      if (isClosed()) await running.close();
    },
    send(message) {
      if (running === undefined) throw new MortiseError("connection_closed", "Call start() before send()");
      return running.send(message);
    },
    async close() {
      state = "closed";
      await running?.close();
    },
  };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

function checkOptions(options: SpawnServerOptions): void {
  expectOptions(options, "the options of a server process");
  const { command, args, env, cwd, stderr, maxMessageBytes, onOversize, closeTimeout } = options;
  expectOption(
    "command",
    command ?? null,
    "the name or path of a program",
    (name) => typeof name === "string" && name !== "",
  );
  expectOption("args", args, "an array of strings", (list) => Array.isArray(list) && list.every(isText));
  expectOption(
    "env",
    env,
    "an object of strings",
    (names) => isObject(names) && Object.values(names).every(isTextOrNothing),
  );
  expectOption("cwd", cwd, "a path or a file: address", (folder) => isText(folder) || folder instanceof URL);
  expectOption("stderr", stderr, '"keep", "inherit" or a function', (target) => {
    return target === "keep" || target === "inherit" || typeof target === "function";
  });
  expectByteLimit("maxMessageBytes", maxMessageBytes);
  expectChoice("onOversize", onOversize, ["end", "skip"]);
  expectTime("closeTimeout", closeTimeout);
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

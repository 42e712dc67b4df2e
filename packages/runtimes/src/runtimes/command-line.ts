import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { INSTALLED } from "../build-programs.js";
import type { Outcome } from "../smoke/check.js";
import type { Runtime } from "./runtime.js";

const PROGRAM = join(INSTALLED, "command-line.js");
const LONGEST_RUN_MS = 60_000;

interface CommandLine {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly processes: Runtime["processes"];
}

const DENO = ["run", "--quiet", "--no-prompt", "--allow-net=127.0.0.1"];

/** Runtimes that run a program from the command line. */
export const COMMAND_LINES: readonly Runtime[] = [
  createRuntime({ name: "Node", program: process.execPath, args: [], processes: "started" }),
  createRuntime({ name: "Bun", program: findBinary("bun"), args: [], processes: "started" }),
  createRuntime({
    name: "Deno that may reach this machine alone",
    program: findBinary("deno"),
    args: DENO,
    processes: "forbidden",
  }),
  createRuntime({
    name: "Deno that may start programs",
    program: findBinary("deno"),
    args: [...DENO, "--allow-env", "--allow-run"],
    processes: "started",
  }),
];

function createRuntime({ name, program, args, processes }: CommandLine): Runtime {
  return {
    name,
    processes,
    async runSuite(targets) {
      const { stdout } = await promisify(execFile)(program, [...args, PROGRAM, JSON.stringify(targets)], {
        cwd: INSTALLED,
        timeout: LONGEST_RUN_MS,
      });
      return JSON.parse(stdout) as Outcome[]; // the program writes nothing else
    },
  };
}

function findBinary(name: string): string {
  return fileURLToPath(new URL(`../../node_modules/.bin/${name}`, import.meta.url));
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Contender } from "./contender.js";
import { createRequest, FIRST_ID } from "./requests.js";
import { readThreadTime } from "./thread-time.js";

/** About as many starts as fit a slice, judged by a bare script. */
const START_MS = 250;

/** A program that serves on stdio. */
interface Program {
  /** Its file and arguments. */
  readonly args: readonly string[];
  /** How many tools it lists. */
  readonly tools: number;
}

/** Measures a server of five tools, with schemas of one kind. */
export function createStartContender(name: Contender["name"], schemas: "json" | "zod"): Contender {
  return measureStarts(name, { args: [toPath(`./starts/${schemas}-${name}.js`)], tools: 5 });
}

/** Measures the command, or the least a script can do. */
export function createCommandContender(name: Contender["name"]): Contender {
  if (name === "plain") return createStartContender(name, "json");
  return measureStarts(name, { args: [toPath("../../packages/cli/dist/main.js"), "mcp"], tools: 15 });
}

function toPath(file: string): string {
  return new URL(file, import.meta.url).pathname;
}

/** Measures the time from starting a stdio server to its first complete answer, a few starts per slice. */
function measureStarts(name: Contender["name"], program: Program): Contender {
  return {
    name,
    start: async () => ({
      stop: async () => undefined,
      async slice(ms) {
        const calls = Math.max(1, Math.round(ms / START_MS));
        const sum = { elapsedMs: 0, cpuUs: 0 };
        for (let start = 0; start < calls; start += 1) {
          const { elapsedMs, cpuUs } = await timeFirstAnswer(program);
          sum.elapsedMs += elapsedMs;
          sum.cpuUs += cpuUs;
        }
        return { calls, ...sum };
      },
    }),
  };
}

async function timeFirstAnswer({ args, tools }: Program): Promise<{ elapsedMs: number; cpuUs: number }> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const left = once(child, "exit");
  const request = createRequest("list", "modern");
  child.stdin.write(`${request.before}${FIRST_ID}${request.after}\n`);
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const elapsedMs = performance.now() - started;
  const cpuUs = readThreadTime(child.pid);
  child.kill("SIGKILL");
  await left;
  const answer = JSON.parse(text);
  if (answer.id !== FIRST_ID || answer.result?.tools?.length !== tools)
    throw new Error(`Expected ${tools} tools, received ${text.slice(0, 300)}`);
  return { elapsedMs, cpuUs };
}

// Starting child processes from the repository's scripts.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ROOT } from "./workspace.mjs";

/**
 * Runs a program to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: Record<string, string>, show?: boolean }} [options] `show` passes the output on as it comes
 * @returns {Promise<{ code: number, output: string }>} `output` holds both streams unless they were shown
 */
export function run(command, args, { cwd = ROOT, env = {}, show = false } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env, PATH: toolPath() },
      stdio: show ? "inherit" : ["ignore", "pipe", "pipe"],
    });
    const chunks = [];
    child.stdout?.on("data", (chunk) => chunks.push(chunk));
    child.stderr?.on("data", (chunk) => chunks.push(chunk));
    child.once("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.once("close", (code, signal) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() + (signal ? `ended by ${signal}\n` : "") }),
    );
  });
}

/** Runs the pinned pnpm, which npx fetches on first use. Same result as `run`. */
export function pnpm(args, options) {
  const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  return run("npx", ["--yes", packageManager, ...args], options);
}

/** Runs a script of this repository, or any other JavaScript file, with the Node that runs now. Same result as `run`. */
export function node(args, options) {
  return run(process.execPath, args, options);
}

/** Calls `task` for every item, at most `width` at a time, and gives back the results in the order of the items. */
export async function mapLimited(items, width, task) {
  const results = new Array(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await task(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return results;
}

function toolPath() {
  return join(ROOT, "node_modules", ".bin") + delimiter + (process.env.PATH ?? "");
}

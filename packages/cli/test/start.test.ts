import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, createEnvironment, createFolder, createRequest, runCommand } from "./command-process.js";

/** How many times as long as the least a script can do the command may take to list its tools. */
const BAR = 2.5;
/** Starts of each, one after the other, so that both see the same machine; the middle one of their ratios counts. */
const ROUNDS = 11;

const LIST = `${JSON.stringify(createRequest(1, "tools/list"))}\n`;
const BARE = `process.stdin.on("data", (chunk) => {
  const { id } = JSON.parse(chunk);
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [] } }) + "\\n");
});`;

async function timeFirstAnswer(args: readonly string[]): Promise<number> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env: createEnvironment(), cwd: createFolder() });
  const left = once(child, "exit");
  child.stdin.write(LIST);
  let text = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    text += chunk;
    if (text.includes("\n")) break;
  }
  const elapsed = performance.now() - started;
  child.kill("SIGKILL");
  await left;
  return elapsed;
}

// What the machine does besides can spoil a run, but not make a slow start look quick.
test("mortise mcp lists its tools within 2.5 times what a bare script takes", { retry: 2 }, async () => {
  const script = join(createFolder(), "bare.mjs");
  writeFileSync(script, BARE);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = await timeFirstAnswer([script]);
    ratios.push((await timeFirstAnswer([COMMAND, "mcp"])) / bare);
  }

  const [middle] = ratios.toSorted((a, b) => a - b).slice(Math.floor(ROUNDS / 2));
  expect(middle).toBeLessThan(BAR);
});

test("mortise mcp loads no provider, validator or parser to list its tools", async () => {
  const folder = createFolder();

  await runCommand(["mcp"], { env: { NODE_V8_COVERAGE: folder, OPENAI_API_KEY: "sk-unused" }, input: LIST });

  const [report = ""] = readdirSync(folder);
  const loaded: { result: { url: string }[] } = JSON.parse(readFileSync(join(folder, report), "utf8"));
  const files = loaded.result.map(({ url }) => url).filter((url) => url.startsWith("file:"));
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((url) => /\/node_modules\/(?!@mortise\/)(?!\.pnpm\/node_modules)/.test(url))).toEqual([]);
});

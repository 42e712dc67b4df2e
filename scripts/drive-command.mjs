// Drives an installed `mortise mcp` as its users do: with the official client and, where it is installed, with the
// Inspector's command line, in both eras, over stdio and over HTTP.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { node } from "./run.mjs";
import { ROOT } from "./workspace.mjs";

const ERAS = ["modern", "legacy"];
const INSPECTOR = join(ROOT, "packages/peers-inspector/node_modules/@modelcontextprotocol/inspector");
const TOOLS = 15;
/** It belongs to the command's own tests, and is there for them. */
const OFFICIAL_CLIENT = "@modelcontextprotocol/client";
/** Without the keys that somebody may have. */
const ENV = { PATH: process.env.PATH };

/**
 * @param {{ bin: string, version: string, cwd: string }} installed the command's file, what `--version` has to print, and
 *   the folder to run it in
 * @returns {Promise<string[]>} problems, one sentence each
 */
export async function driveCommand({ bin, version, cwd }) {
  const told = await node([bin, "--version"], { cwd });
  const problems = told.output.trim() === version ? [] : [`mortise --version prints ${told.output}`];
  const stdio = { command: process.execPath, args: [bin, "mcp"], env: ENV, cwd };
  const { url, stop } = await startHttp(bin, cwd);
  try {
    for (const era of ERAS) {
      for (const target of [stdio, { url }]) {
        const how = `mortise mcp over ${url === target.url ? "HTTP" : "stdio"}, ${era}`;
        problems.push(...(await useOfficialClient(target, era)).map((problem) => `${how}: ${problem}`));
        problems.push(...(await useInspector(target, era, cwd)).map((problem) => `${how}: ${problem}`));
      }
    }
  } finally {
    await stop();
  }
  return problems;
}

async function startHttp(bin, cwd) {
  const child = spawn(process.execPath, [bin, "mcp", "--http", "--port", "0"], {
    cwd,
    env: ENV,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const left = once(child, "exit");
  const stop = async () => {
    child.kill("SIGTERM");
    await left;
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /Serving (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { url, stop };
  }
  throw new Error("mortise mcp --http does not tell its address");
}

async function useOfficialClient({ url, ...process }, era) {
  const require = createRequire(join(ROOT, "packages/cli/package.json"));
  const { Client, StreamableHTTPClientTransport } = require(OFFICIAL_CLIENT);
  const { StdioClientTransport } = require(`${OFFICIAL_CLIENT}/stdio`);
  const mode = era === "legacy" ? "legacy" : "auto";
  const client = new Client({ name: "package-check", version: "1.0.0" }, { versionNegotiation: { mode } });
  await client.connect(
    url === undefined ? new StdioClientTransport(process) : new StreamableHTTPClientTransport(new URL(url)),
  );
  const { tools } = await client.listTools();
  const result = await client.callTool({ name: "ask_model", arguments: { prompt: "Who are you?" } });
  const spoken = client.getProtocolEra();
  await client.close();
  return [
    ...(spoken === era ? [] : [`the official client speaks ${spoken}`]),
    ...(tools.length === TOOLS ? [] : [`the official client lists ${tools.length} tools instead of ${TOOLS}`]),
    ...(JSON.stringify(result).includes("OPENAI_API_KEY") ? [] : ["a call without a key does not name its variable"]),
  ];
}

async function useInspector({ url, command, args }, era, cwd) {
  if (!existsSync(INSPECTOR)) return [];
  const target = url === undefined ? [command, ...args] : [url];
  const flags = ["--protocol-era", era, "--format", "json", "--quiet", "--method", "tools/list", "--strict"];
  const launcher = join(INSPECTOR, "clients/launcher/build/index.js");
  const { code, output } = await node([launcher, "--cli", ...target, ...flags], { cwd, env: { HOME: cwd } });
  return code === 0 ? [] : [`the Inspector is not content\n${output}`];
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { RunningServer } from "@mortise/peers";

/** The built command. */
const COMMAND = fileURLToPath(new URL("../../cli/dist/main.js", import.meta.url));

/** Makes `mortise mcp` reachable over a transport: says how to start it, or starts it. */
export async function startCommand(transport: "stdio" | "http"): Promise<RunningServer> {
  if (transport === "stdio") {
    return { target: { command: process.execPath, args: [COMMAND, "mcp"] }, stop: async () => undefined };
  }
  const child = spawn(process.execPath, [COMMAND, "mcp", "--http", "--port", "0"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"] }, // without the keys that somebody may have
  });
  const left = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await left;
  };
  for await (const line of createInterface({ input: child.stderr })) {
    const url = /Serving (\S+)$/.exec(line)?.[1];
    if (url === undefined) continue;
    child.stderr.resume();
    return { target: { url }, stop };
  }
  throw new Error("Expected the command to tell its address");
}

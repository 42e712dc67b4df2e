import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** How a process serves. It travels as JSON. */
export interface ServerSettings {
  /** The port of the shared store. Left out for a process that shares nothing. */
  readonly store?: number | undefined;
  /** The ids of the keys that seal its states, the one that seals first. */
  readonly keys: readonly string[];
  /** How legacy clients are remembered. @default not at all */
  readonly legacy?: "stored" | "minted" | undefined;
}

/** A server in a process of its own. */
export interface ServerProcess {
  readonly port: number;
  readonly url: string;
  /** What its handlers said of themselves. */
  readonly said: readonly string[];
  /** Lets handlers go on that wait for it. */
  release(): void;
  /** Ends the process without a chance to say goodbye. */
  kill(): Promise<void>;
}

/** A program that can be started as often as one likes. */
export interface ServerProgram {
  start(settings: ServerSettings): Promise<ServerProcess>;
  /** Ends every process that was started, and forgets the program. */
  close(): Promise<void>;
}

const SOURCE = fileURLToPath(new URL("../programs/shared-server.ts", import.meta.url));

/** Compiles the server program, with the packages of this workspace from source. */
export async function compileServer(): Promise<ServerProgram> {
  const folder = mkdtempSync(join(tmpdir(), "server-program-"));
  await build({
    entryPoints: [SOURCE],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    logLevel: "warning",
  });
  const started: ServerProcess[] = [];
  return {
    async start(settings) {
      const one = await startProcess(join(folder, "shared-server.mjs"), settings);
      started.push(one);
      return one;
    },
    async close() {
      await Promise.all(started.map((one) => one.kill()));
      rmSync(folder, { recursive: true });
    },
  };
}

async function startProcess(file: string, settings: ServerSettings): Promise<ServerProcess> {
  const child = fork(file, [JSON.stringify(settings)], { execArgv: [] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }]; // its first word
  const said: string[] = [];
  child.on("message", (word) => said.push(String(word)));
  return {
    port,
    url: `http://127.0.0.1:${port}/mcp`,
    said,
    release: () => void child.send("release"),
    kill: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const left = once(child, "exit");
  child.kill("SIGKILL");
  await left;
}

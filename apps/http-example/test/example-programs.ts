import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the compiled examples. */
    apps: string;
  }
}

/** A program of the examples, running. */
export interface RunningProgram {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  /** Resolves with the match once the program has printed something of the form. */
  printed(form: RegExp): Promise<RegExpExecArray>;
  /** Resolves when the program has ended, with its exit code and all it has printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

const APPS = fileURLToPath(new URL("../../", import.meta.url));

/** Runs once before all tests: compiles the examples from source into a folder laid out like this repository's. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), "example-programs-"));
  await build({
    entryPoints: ["http-example/src/demo.ts", "http-example/src/server.ts", "stdio-example/src/server.ts"].map(
      (file) => ({
        in: join(APPS, file),
        out: file.replace("/src/", "/dist/").replace(/\.ts$/, ""),
      }),
    ),
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    conditions: ["@mortise/source"],
    logLevel: "warning",
  });
  project.provide("apps", folder);
  return () => rmSync(folder, { recursive: true });
}

/** Starts a compiled example. */
export function startProgram(
  file: string,
  { args = [], port = "0" }: { args?: string[]; port?: string } = {},
): RunningProgram {
  const child = spawn(process.execPath, [file, ...args], {
    env: { ...process.env, PORT: port },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  return {
    process: child,
    async printed(form) {
      for (;;) {
        const match = form.exec(output.stdout);
        if (match !== null) return match;
        await once(child.stdout, "data");
      }
    },
    ended: once(child, "close").then(([code]) => ({ code: code as number | null, ...output })), // what "close" says first
  };
}

import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Era, Target } from "@mortise/peers";

const require = createRequire(import.meta.url);
const COMMAND = join(
  dirname(require.resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/launcher/build/index.js",
);

/** How a run of the Inspector's command line ended. */
export interface InspectorRun {
  readonly code: number | null;
  /** The JSON on stdout. */
  readonly output: { readonly result?: Record<string, unknown> } | undefined;
  readonly stderr: string;
}

/** Runs the Inspector's command line against a server. `home` keeps its files out of the user's own. */
export function runInspector(target: Target, era: Era, home: string, args: readonly string[]): Promise<InspectorRun> {
  const server = "url" in target ? [target.url] : [target.command, ...target.args];
  const all = [COMMAND, "--cli", ...server, "--protocol-era", era, "--format", "json", "--quiet", ...args];
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      all,
      { env: { ...process.env, HOME: home }, timeout: 25_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, output: stdout.trim() === "" ? undefined : JSON.parse(stdout), stderr });
      },
    );
  });
}

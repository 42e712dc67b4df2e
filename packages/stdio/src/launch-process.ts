import type { ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { MortiseError } from "@mortise/core";
import { createChildEnvironment, type Environment } from "./child-environment.js";
import { resolveCommand } from "./resolve-command.js";

/** What a child is started with; replaced in tests. */
export interface ChildHost {
  readonly platform: NodeJS.Platform;
  /** The parent's own variables. */
  readonly environment: Environment;
  readonly spawn: typeof spawn;
  readonly isFile: (path: string) => boolean;
}

/** What to start. */
export interface LaunchOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Environment | undefined;
  readonly cwd?: string | URL | undefined;
}

/**
 * Starts a process with pipes for all three streams and resolves once it runs.
 *
 * @throws MortiseError `connection_failed` when the system cannot start it, `invalid_options` for arguments a batch file cannot receive
 */
export async function launchProcess(options: LaunchOptions, host: ChildHost): Promise<ChildProcessWithoutNullStreams> {
  const { command, args = [] } = options;
  const { platform, isFile } = host;
  const cwd = options.cwd instanceof URL ? fileURLToPath(options.cwd) : options.cwd;
  const environment = createChildEnvironment({ platform, parent: host.environment, explicit: options.env });
  const found = resolveCommand({ command, args, cwd: cwd ?? process.cwd(), platform, environment, isFile });
  try {
    const child = host.spawn(found.file, [...found.args], {
      cwd,
      env: environment,
      stdio: "pipe",
      shell: false,
      windowsHide: true,
      windowsVerbatimArguments: found.verbatim,
      // The leader of its own group, so that what it starts can be ended with it. On Windows this would open a console window.
      detached: platform !== "win32",
    });
    await untilStarted(child);
    return child;
  } catch (error) {
    throw describeFailure(command, cwd, error);
  }
}

function untilStarted(child: ChildProcessWithoutNullStreams): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("spawn", () => {
      child.off("error", reject);
      resolve();
    });
  });
}

const REASONS: ReadonlyMap<unknown, string> = new Map([
  ["ENOENT", "command not found"],
  ["EACCES", "not allowed to execute it"],
  ["ENOTDIR", "its path leads through a file"],
  ["E2BIG", "its arguments are too long"],
]);

function describeFailure(command: string, cwd: string | undefined, error: unknown): MortiseError {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // The system reports a missing folder as if the command were missing.
  const noFolder = code === "ENOENT" && cwd !== undefined && !existsSync(cwd);
  const known = REASONS.get(code) ?? "the system refused to start it";
  const hint = code === "ENOENT" && /\s/.test(command) ? '; its arguments belong in "args"' : "";
  const reason = noFolder ? `there is no folder '${cwd}'` : known + hint;
  const detail = code === undefined ? reason : `${reason} (${code})`;
  return new MortiseError("connection_failed", `MCP server process '${command}' could not be started: ${detail}`, {
    cause: error,
  });
}

import { win32 } from "node:path";
import { createBatchArguments, findInterpreter, read } from "./batch-command.js";
import type { Environment } from "./child-environment.js";

/** Extensions of what Windows can start, in the order it tries them when `PATHEXT` does not say. */
const STARTABLE = [".COM", ".EXE", ".BAT", ".CMD"] as const;
const BATCH = /\.(?:bat|cmd)$/i;

/** A command as the operating system is asked to start it. Never through a shell. */
export interface Launch {
  readonly file: string;
  readonly args: readonly string[];
  /** True when `args` are already quoted for Windows. */
  readonly verbatim: boolean;
}

/** What a command is looked up with. */
export interface ResolveOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  /** The child's environment: its search path counts. */
  readonly environment: Environment;
  readonly isFile: (path: string) => boolean;
}

/**
 * Finds out how to start a command. Elsewhere than on Windows that is the command itself. On Windows it is searched through
 * `PATH` and `PATHEXT`, since the system would find only `.exe` files; a batch file (`npx.cmd`) goes through the command interpreter.
 *
 * @throws MortiseError `invalid_options` for arguments that a batch file cannot receive unharmed
 */
export function resolveCommand(options: ResolveOptions): Launch {
  const { command, args, environment } = options;
  if (options.platform !== "win32") return { file: command, args, verbatim: false };
  const file = findOnWindows(options) ?? command;
  if (!BATCH.test(file)) return { file, args, verbatim: false };
  return { file: findInterpreter(environment), args: createBatchArguments(file, args), verbatim: true };
}

function findOnWindows({ command, cwd, environment, isFile }: ResolveOptions): string | undefined {
  const extensions = listExtensions(environment);
  const known = extensions.includes(win32.extname(command).toUpperCase());
  const names = [...(known ? [command] : []), ...extensions.map((extension) => command + extension.toLowerCase())];
  // The current folder is not searched for a bare name: a repository must not be able to slip in its own "npx.cmd".
  const folders = /[\\/:]/.test(command) ? [cwd] : listFolders(environment);
  for (const folder of folders) {
    const found = names.map((name) => win32.resolve(folder, name)).find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

function listExtensions(environment: Environment): string[] {
  const listed = (read(environment, "PATHEXT") ?? "").split(";").map((extension) => extension.trim().toUpperCase());
  const startable = listed.filter((extension) => STARTABLE.some((known) => known === extension));
  return startable.length > 0 ? startable : [...STARTABLE];
}

function listFolders(environment: Environment): string[] {
  const entries = (read(environment, "PATH") ?? "").split(";");
  return entries.map((entry) => entry.trim().replaceAll('"', "")).filter((entry) => entry !== "");
}

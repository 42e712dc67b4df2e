import { MortiseError } from "@mortise/core";
import type { Environment } from "./child-environment.js";

/** Options of the interpreter: no start-up commands, extensions on (the quoting needs them), no `!NAME!` expansion, one command. */
const INTERPRETER_OPTIONS = ["/d", "/e:on", "/v:off", "/s", "/c"] as const;

/**
 * Builds the arguments that make the Windows command interpreter run a batch file so that it receives exactly `args`, with
 * nothing expanded or executed on the way. They must be passed on verbatim, not quoted again.
 *
 * @throws MortiseError `invalid_options` for an argument that no quoting can carry (line breaks and NUL)
 */
export function createBatchArguments(file: string, args: readonly string[]): string[] {
  const line = [file, ...args].map(quoteForBatch).join(" ");
  // With /s the interpreter takes off the first and last quote and leaves the rest as it is.
  return [...INTERPRETER_OPTIONS, `"${line}"`];
}

/** Where the command interpreter is: what the environment says, else where Windows keeps it. */
export function findInterpreter(environment: Environment): string {
  return read(environment, "COMSPEC") ?? `${read(environment, "SYSTEMROOT") ?? "C:\\Windows"}\\System32\\cmd.exe`;
}

/** Reads a Windows variable whatever the case of its name. */
export function read(environment: Environment, upperName: string): string | undefined {
  const name = Object.keys(environment).find((key) => key.toUpperCase() === upperName);
  const value = name === undefined ? undefined : environment[name];
  return value === "" ? undefined : value;
}

/**
 * Quotes one argument for two readers at once: the interpreter, to which everything between quotes but `%` is plain, and the
 * program's own parser, to which `""` is a quote and backslashes count only before a quote.
 */
function quoteForBatch(argument: string): string {
  const unusable = /[\r\n\0]/.exec(argument);
  if (unusable !== null) {
    throw new MortiseError(
      "invalid_options",
      "Expected arguments of a batch file to be free of line breaks and NUL, which the Windows command interpreter cannot carry",
    );
  }
  const escaped = argument
    .replaceAll(/(\\*)"/g, '$1$1""')
    .replace(/\\+$/, "$&$&")
    // "%cd:~,%" expands to nothing, so what follows the first "%" can never be read as the name of a variable.
    .replaceAll("%", "%%cd:~,%");
  return `"${escaped}"`;
}

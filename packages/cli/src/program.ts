import { Command, CommanderError } from "commander";
import { EXIT } from "./command-failure.js";
import { paintError } from "./paint-error.js";
import { readVersion } from "./version.js";

/** A command, and where it is told of. */
interface CommandRow {
  readonly name: string;
  /** Whether it has to know the others; else it is loaded alone. All of them are loaded for help. */
  readonly withOthers?: boolean;
  add(program: Command): Promise<void>;
}

const COMMANDS: readonly CommandRow[] = [
  { name: "mcp", add: async (program) => (await import("./commands/mcp.js")).addMcpCommand(program) },
  { name: "add", add: async (program) => (await import("./commands/add.js")).addAddCommand(program) },
  { name: "doctor", add: async (program) => (await import("./commands/doctor.js")).addDoctorCommand(program) },
  {
    name: "completion",
    withOthers: true,
    add: async (program) => (await import("./commands/completion.js")).addCompletionCommand(program),
  },
];

/**
 * Runs a command line. Resolves when the command has done its work, or serves; sets the exit code for command lines that are wrong, which
 * were told by then. Rejects with what the command rejects with.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosed);
  const program = createProgram();
  const chosen = COMMANDS.find(({ name }) => name === args[0]);
  const needed = chosen === undefined || chosen.withOthers === true ? COMMANDS : [chosen];
  for (const { add } of needed) await add(program);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed help or the error; without a command it has printed help as an error.
    if (error.exitCode !== 0) process.exitCode = EXIT.usage;
  }
}

function createProgram(): Command {
  return new Command("mortise")
    .description("Model-backed tools for coding assistants, over the Model Context Protocol")
    .version(readVersion(), "-v, --version", "print the version")
    .helpCommand("help [command]", "print how a command is used")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(paintError(text)) });
}

/** Whoever reads may have read enough, such as `head`. */
function ignoreClosed(error: Error): void {
  if (!("code" in error) || error.code !== "EPIPE") throw error;
}

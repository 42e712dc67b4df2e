#!/usr/bin/env node
import { Command, CommanderError } from "commander";
import { CommandFailure, EXIT } from "./command-failure.js";
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

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  try {
    const program = createProgram();
    const chosen = COMMANDS.find(({ name }) => name === args[0]);
    const needed = chosen === undefined || chosen.withOthers === true ? COMMANDS : [chosen];
    for (const { add } of needed) await add(program);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function createProgram(): Command {
  const program = new Command("mortise")
    .description("Model-backed tools for coding assistants, over the Model Context Protocol")
    .version(readVersion(), "-v, --version", "print the version")
    .helpCommand("help [command]", "print how a command is used")
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(paintError(text)) });
  return program;
}

/** Tells what went wrong, unless it was told already, and gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    // Commander has printed help or the error; without a command it has printed help as an error.
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
  process.stderr.write(paintError(`error: ${describe(error)}\n`));
  return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
}

function describe(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  // Nobody foresaw it: where it comes from is worth more than a tidy line.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Red on a terminal, unless `NO_COLOR` is set. */
function paintError(text: string): string {
  const { stderr } = process;
  if (stderr.isTTY !== true || !stderr.hasColors()) return text;
  return text.replace(/^error:/, "\u001b[31merror:\u001b[39m");
}

#!/usr/bin/env node
import { CommandFailure, EXIT } from "./command-failure.js";
import { MCP_DEFAULTS } from "./mcp/mcp-options.js";
import { paintError } from "./paint-error.js";

void main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    process.stderr.write(paintError(`error: ${describe(error)}\n`));
    process.exitCode = error instanceof CommandFailure ? error.exitCode : EXIT.failed;
  }
}

/** Assistants start `mortise mcp` again and again, mostly without options: then there is nothing to parse, and no parser is loaded. */
async function run(args: readonly string[]): Promise<void> {
  if (args.length === 1 && args[0] === "mcp") {
    const { runMcp } = await import("./mcp/run-mcp.js");
    await runMcp(MCP_DEFAULTS);
  } else {
    const { runProgram } = await import("./program.js");
    await runProgram(args);
  }
}

function describe(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  // Nobody foresaw it: where it comes from is worth more than a tidy line.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

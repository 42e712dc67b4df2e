import { CommandFailure, EXIT } from "./command-failure.js";
import { paintError } from "./paint-error.js";

/** Tells what ended the command, and gives the exit code. */
export function reportFailure(error: unknown): number {
  process.stderr.write(paintError(`error: ${describe(error)}\n`));
  return error instanceof CommandFailure ? error.exitCode : EXIT.failed;
}

function describe(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  // Nobody foresaw it: where it comes from is worth more than a tidy line.
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

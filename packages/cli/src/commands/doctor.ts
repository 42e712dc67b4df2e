import { type Command, InvalidArgumentError } from "commander";
import { EXIT } from "../command-failure.js";

interface DoctorFlags {
  readonly live: boolean;
  readonly json: boolean;
  readonly header: readonly string[];
  readonly env: readonly string[];
  readonly timeout: number;
}

const EPILOGUE = `
Examples:
  mortise doctor
  mortise doctor http://127.0.0.1:3210/mcp
  mortise doctor --env OPENAI_API_KEY -- npx -y mortise mcp

A variable in a header is filled in: --header 'Authorization: Bearer \${TOKEN}'

Exit codes: 0 nothing failed, 1 something did, 2 the command line is wrong`;

/** Adds `mortise doctor`, which finds out what is wrong. What checks is loaded when the command runs. */
export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .description("find out what is wrong: here, or with a server")
    .argument("[server...]", "the address of a server, or -- and the command that starts one")
    .option("--live", "ask each provider something short", false)
    .option("--json", "print the findings as JSON", false)
    .option("--header <header>", "a header for the server, as 'Name: value'; repeatable", collect, [])
    .option("--env <NAME>", "a variable for the command, or NAME=value; repeatable", collect, [])
    .option("--timeout <seconds>", "how long one answer may take", readSeconds, 30)
    .addHelpText("after", EPILOGUE)
    .action(async (words: readonly string[], { json, ...options }: DoctorFlags) => {
      const { runDoctor } = await import("../doctor/run-doctor.js");
      const { writeDiagnosis, writeJson } = await import("../doctor/write-diagnosis.js");
      const diagnosis = await runDoctor(words, options);
      const { stdout } = process;
      const colors = stdout.isTTY === true && stdout.hasColors();
      stdout.write(json ? writeJson(diagnosis) : writeDiagnosis(diagnosis, { colors }));
      if (!diagnosis.ok) process.exitCode = EXIT.failed;
    });
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds;
  throw new InvalidArgumentError("Expected a number of seconds, more than 0 and at most 3600.");
}

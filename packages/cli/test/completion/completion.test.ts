import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { Argument, Command, Option } from "commander";
import { describe, expect, test } from "vitest";
import { addAddCommand } from "../../src/commands/add.js";
import { addCompletionCommand } from "../../src/commands/completion.js";
import { SHELLS } from "../../src/completion/shells.js";
import { readSuggestions } from "../../src/completion/suggestions.js";

const run = promisify(execFile);

function createProgram(): Command {
  const program = new Command("mortise").version("1.0.0").helpCommand("help [command]", "print how it is used");
  program
    .command("serve")
    .description("serve: it's there")
    .addArgument(new Argument("<kind>", "which").choices(["one", "two"]))
    .addOption(new Option("--level <level>", "how much").choices(["low", "high"]))
    .option("-p, --port <number>", "the port")
    .option("--quiet", "say nothing");
  addAddCommand(program);
  addCompletionCommand(program);
  return program;
}

function write(shell: string): string {
  return SHELLS.get(shell)!(readSuggestions(createProgram()));
}

/** What Bash offers for the last of these words. */
async function complete(...words: string[]): Promise<string[]> {
  const script = `${write("bash")}
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mortise; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run("bash", ["-c", script, "bash", ...words]);
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion in Bash", () => {
  test("offers the commands", async () => {
    expect(await complete("mortise", "")).toEqual(["serve", "add", "completion", "help"]);
  });

  test("offers what an argument can be", async () => {
    expect(await complete("mortise", "add", "c")).toEqual(["claude-code", "cursor", "claude-desktop"]);
    expect(await complete("mortise", "completion", "p")).toEqual(["powershell"]);
    expect(await complete("mortise", "help", "a")).toEqual(["add"]);
  });

  test("offers the options of a command", async () => {
    expect(await complete("mortise", "add", "cursor", "--p")).toEqual(["--project", "--print"]);
  });

  test("offers the values of an option, and nothing where it takes any", async () => {
    expect(await complete("mortise", "serve", "--level", "")).toEqual(["low", "high"]);
    expect(await complete("mortise", "serve", "--port", "")).toEqual([]);
  });

  test("offers nothing behind --", async () => {
    expect(await complete("mortise", "serve", "--", "")).toEqual([]);
  });
});

describe.each(["zsh", "fish", "powershell"])("the script for %s", (shell) => {
  test("has every command, choice and option", () => {
    const script = write(shell);

    for (const word of ["serve", "add", "completion", "claude-desktop", "one", "low", "help"])
      expect(script).toContain(word);
    for (const option of ["quiet", "level", "project", "version"])
      expect(script).toContain(shell === "fish" ? `-l ${option}` : `--${option}`);
  });

  test("quotes what descriptions have in them", () => {
    const quoted = { zsh: "it'\\''s there", fish: "it\\'s there", powershell: "it''s there" };

    expect(write(shell)).toContain(quoted[shell as keyof typeof quoted]); // one of its keys
  });
});

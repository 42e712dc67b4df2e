import { Argument, type Command } from "commander";
import { SHELLS } from "../completion/shells.js";
import { readSuggestions } from "../completion/suggestions.js";

const EPILOGUE = `
To switch it on for good, put one of these into the start-up file of the shell:
  bash        eval "$(mortise completion bash)"
  zsh         source <(mortise completion zsh)
  fish        mortise completion fish | source
  powershell  mortise completion powershell | Out-String | Invoke-Expression`;

/** Adds `mortise completion`, which prints a script for a shell. It completes the commands that the program has by then. */
export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices([...SHELLS.keys()]))
    .addHelpText("after", EPILOGUE)
    .action((shell: string) => {
      const write = SHELLS.get(shell);
      if (write !== undefined) process.stdout.write(write(readSuggestions(program)));
    });
}

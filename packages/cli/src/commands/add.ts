import { Argument, type Command, Option } from "commander";
import { HOST_IDS } from "../hosts/host-table.js";

interface AddFlags {
  readonly project: boolean;
  readonly print: boolean;
  readonly env: readonly string[];
  readonly http?: string;
  readonly name: string;
  readonly force: boolean;
}

/** Adds `mortise add`, which registers the server with a host. */
export function addAddCommand(program: Command): void {
  program
    .command("add")
    .description("register the tools with a coding assistant")
    .addArgument(new Argument("<host>", "the assistant").choices(HOST_IDS))
    .option("--project", "for this project alone, in a file that can be shared", false)
    .option("--print", "print what would be written, and write nothing", false)
    .addOption(
      new Option("--env <NAME>", "a variable that the server needs, or NAME=value to write its value; repeatable")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "none"),
    )
    .option("--http <url>", "register a server that runs already, by its address")
    .option("--name <name>", "what the server is called there", "mortise")
    .option("--force", "replace another server of that name", false)
    .action(async (host: string, { print, ...flags }: AddFlags) => {
      const { addServer, previewServer } = await import("../hosts/add-server.js");
      const { thisMachine } = await import("../hosts/machine.js");
      const request = { host, ...flags };
      if (print) {
        const { file, text, command, notes } = previewServer(request, thisMachine());
        process.stdout.write(text);
        tell([`This belongs into ${file}.`, ...(command === undefined ? [] : [`Or run: ${command}`]), ...notes]);
        return;
      }
      const { file, changed, backup, notes } = await addServer(request, thisMachine());
      tell([
        changed ? `Wrote ${file}.` : `${file} has the entry already.`,
        ...(backup === undefined ? [] : [`What it held before is in ${backup}.`]),
        ...notes,
      ]);
    });
}

/** What is said to people goes to stderr, so that stdout holds nothing but what was asked for. */
function tell(lines: readonly string[]): void {
  process.stderr.write(`${lines.join("\n")}\n`);
}

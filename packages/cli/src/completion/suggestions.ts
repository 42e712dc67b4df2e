import type { Command, Option } from "commander";

/** A word that can be completed to. */
export interface Suggestion {
  readonly text: string;
  readonly description: string;
}

/** What can stand on the command line behind one command. */
export interface Suggestions {
  /** The name of the command; empty for the program itself. */
  readonly command: string;
  /** Words that are no options: commands, or choices of an argument. */
  readonly words: readonly Suggestion[];
  readonly options: readonly Suggestion[];
  /** Options that take a value, with the values they know; none for those that take any. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

/** Reads what can be completed from the commands themselves, so that it cannot differ from them. */
export function readSuggestions(program: Command): readonly Suggestions[] {
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const names = commands.map((command) => describe(command.name(), command.summary() || command.description()));
  const inner = commands.map((command) => ({
    command: command.name(),
    words: command.name() === "help" ? names.filter(({ text }) => text !== "help") : listChoices(command),
    ...readOptions(help.visibleOptions(command)),
  }));
  return [{ command: "", words: names, ...readOptions(help.visibleOptions(program)) }, ...inner];
}

function listChoices(command: Command): Suggestion[] {
  const [first] = command.registeredArguments;
  return (first?.argChoices ?? []).map((choice) => describe(choice, first?.description ?? ""));
}

function readOptions(options: readonly Option[]): Pick<Suggestions, "options" | "values"> {
  const values = new Map<string, readonly string[]>();
  const suggestions: Suggestion[] = [];
  for (const option of options) {
    for (const name of [option.long, option.short]) {
      if (name === undefined) continue;
      suggestions.push(describe(name, option.description));
      if (option.required || option.optional) values.set(name, option.argChoices ?? []);
    }
  }
  return { options: suggestions, values };
}

function describe(text: string, description: string): Suggestion {
  return { text, description: description.replace(/\s+/g, " ") };
}

import type { Suggestion, Suggestions } from "./suggestions.js";

/** Writes the completion for fish. */
export function writeFish(all: readonly Suggestions[]): string {
  const lines = all.flatMap((each) => [
    ...each.words.map((word) => `${begin(each)} -a ${quote(word.text)}${describe(word)}`),
    ...each.options.map((option) => writeOption(each, option)),
  ]);
  return `# Completion of mortise for fish: mortise completion fish | source
complete -c mortise -f
${lines.join("\n")}
`;
}

function writeOption(suggestions: Suggestions, option: Suggestion): string {
  const { text } = option;
  const name = text.startsWith("--") ? `-l ${text.slice(2)}` : `-s ${text.slice(1)}`;
  const choices = suggestions.values.get(text);
  const value = choices === undefined ? "" : choices.length === 0 ? " -r" : ` -x -a ${quote(choices.join(" "))}`;
  return `${begin(suggestions)} ${name}${value}${describe(option)}`;
}

function begin({ command }: Suggestions): string {
  const condition = command === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${command}`;
  return `complete -c mortise -n ${quote(condition)}`;
}

function describe({ description }: Suggestion): string {
  return description === "" ? "" : ` -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

import type { Suggestions } from "./suggestions.js";

/** Writes the completion for Bash, from 3.2 on. */
export function writeBash(all: readonly Suggestions[]): string {
  return `# Completion of mortise for Bash: eval "$(mortise completion bash)"
_mortise() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}" command="" words="" options="" i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${COMP_WORDS[i]}" in
      --) return ;;
      -*) ;;
      *) command="\${command:-\${COMP_WORDS[i]}}" ;;
    esac
  done
  case "$command $before" in
${all.flatMap(writeValues).join("\n")}
  esac
  case "$command" in
${all.map(writeWords).join("\n")}
  esac
  if [[ "$word" == -* ]]; then words="$options"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _mortise mortise
`;
}

function writeValues({ command, values }: Suggestions): string[] {
  return [...values].map(([option, choices]) => {
    const give = choices.length === 0 ? "" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$word")); `;
    return `    "${command} ${option}") ${give}return ;;`;
  });
}

function writeWords({ command, words, options }: Suggestions): string {
  const join = (list: Suggestions["words"]): string => list.map(({ text }) => text).join(" ");
  return `    "${command}") words="${join(words)}" options="${join(options)}" ;;`;
}

import type { Suggestion, Suggestions } from "./suggestions.js";

/** Writes the completion for Zsh: to be sourced, or put as `_mortise` into a folder of `fpath`. */
export function writeZsh(all: readonly Suggestions[]): string {
  return `#compdef mortise
# Completion of mortise for Zsh: source <(mortise completion zsh)
_mortise() {
  local command="" before="\${words[CURRENT - 1]}" i
  local -a choices options
  for ((i = 2; i < CURRENT; i++)); do
    case "\${words[i]}" in
      --) _files; return ;;
      -*) ;;
      *) command="\${command:-\${words[i]}}" ;;
    esac
  done
  case "$command $before" in
${all.flatMap(writeValues).join("\n")}
  esac
  case "$command" in
${all.map(writeWords).join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o option options
  else
    _describe argument choices
  fi
}
if [[ "\${funcstack[1]}" == _mortise ]]; then _mortise "$@"; else compdef _mortise mortise; fi
`;
}

function writeValues({ command, values }: Suggestions): string[] {
  return [...values].map(([option, choices]) => {
    const give = choices.length === 0 ? "_files" : `compadd -- ${choices.map(quote).join(" ")}`;
    return `    ${quote(`${command} ${option}`)}) ${give}; return ;;`;
  });
}

function writeWords({ command, words, options }: Suggestions): string {
  return `    ${quote(command)}) choices=(${list(words)}); options=(${list(options)}) ;;`;
}

function list(suggestions: readonly Suggestion[]): string {
  return suggestions
    .map(({ text, description }) => quote(`${text.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`))
    .join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

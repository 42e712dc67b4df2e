import type { Suggestion, Suggestions } from "./suggestions.js";

/** Writes the completion for PowerShell, from 5.1 on. */
export function writePowerShell(all: readonly Suggestions[]): string {
  return `# Completion of mortise for PowerShell: mortise completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mortise -ScriptBlock {
  param($word, $ast, $position)
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() } | Select-Object -Skip 1)
  if ($before -contains '--') { return }
  $command = [string]($before | Where-Object { -not $_.StartsWith('-') } | Select-Object -First 1)
  $last = [string]($before | Select-Object -Last 1)
  $values = @{
${all.flatMap(writeValues).join("\n")}
  }
  $words = @{
${all.map(({ command, words }) => `    ${quote(command)} = @(${list(words)})`).join("\n")}
  }
  $options = @{
${all.map(({ command, options }) => `    ${quote(command)} = @(${list(options)})`).join("\n")}
  }
  $found = if ($values.ContainsKey("$command $last")) { $values["$command $last"] }
    elseif ($word.StartsWith('-')) { $options[$command] }
    else { $words[$command] }
  $found | Where-Object { $_ -and $_.StartsWith($word) } | ForEach-Object {
    $text, $tip = $_ -split '\\|', 2
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $tip)
  }
}
`;
}

function writeValues({ command, values }: Suggestions): string[] {
  return [...values].map(([option, choices]) => {
    return `    ${quote(`${command} ${option}`)} = @(${list(choices.map((text) => ({ text, description: text })))})`;
  });
}

/** Texts with what they mean behind a bar, which may not be empty. */
function list(suggestions: readonly Suggestion[]): string {
  return suggestions.map(({ text, description }) => quote(`${text}|${description || text}`)).join(", ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

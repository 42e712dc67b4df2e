import { writeBash } from "./bash.js";
import { writeFish } from "./fish.js";
import { writePowerShell } from "./powershell.js";
import type { Suggestions } from "./suggestions.js";
import { writeZsh } from "./zsh.js";

/** What writes the completion of each shell. */
export const SHELLS: ReadonlyMap<string, (all: readonly Suggestions[]) => string> = new Map([
  ["bash", writeBash],
  ["zsh", writeZsh],
  ["fish", writeFish],
  ["powershell", writePowerShell],
]);

import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { type Machine, readVariable } from "../hosts/machine.js";

/** Tells whether a command is found in the search path, or where it says. */
export async function isCommandFound(command: string, machine: Machine): Promise<boolean> {
  if (/[\\/]/.test(command)) return isExecutable(command);
  const folders = (readVariable(machine, "PATH") ?? "").split(machine.platform === "win32" ? ";" : ":");
  const endings = machine.platform === "win32" ? ["", ".exe", ".cmd", ".bat", ".com"] : [""];
  for (const folder of folders) {
    if (folder === "") continue;
    for (const ending of endings) if (await isExecutable(join(folder, command + ending))) return true;
  }
  return false;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    // Whatever keeps it from being run, it cannot be run.
    return false;
  }
}

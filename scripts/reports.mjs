// What each command found, left behind for the summary of a whole run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./workspace.mjs";

const FOLDER = join(ROOT, ".reports");

/** Keeps the counts of one command. */
export function writeReport(name, counts) {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.counts.json`), JSON.stringify(counts));
}

/** Every kept pair of counts. */
export function readReports() {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((name) => name.endsWith(".counts.json"))
    .map((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")));
}

/** Forgets what earlier commands found. */
export function clearReports() {
  rmSync(FOLDER, { recursive: true, force: true });
}

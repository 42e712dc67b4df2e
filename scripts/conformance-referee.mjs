// Runs the official referee, and reads what it lists and leaves behind.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readScenarios } from "./conformance-scenarios.mjs";
import { node } from "./run.mjs";
import { ROOT } from "./workspace.mjs";

/** Where the fixtures are that the referee judges. */
export const FOLDER = "apps/conformance";
/** The referee starts in about one second of work: two at a time keep two cores busy, more only wait for each other. */
export const WIDTH = 2;

const STAND_IN = join(ROOT, "scripts", "conformance-node20.mjs");
const REFEREE = join(ROOT, FOLDER, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");

/** Runs the referee with these arguments. Same result as `run`. */
export function referee(args) {
  return node(["--import", STAND_IN, REFEREE, ...args], { env: { NO_COLOR: "1" } });
}

/** The names of the scenarios for one side, "server" or "client", in the list that the arguments ask for. */
export async function listScenarios(side, args) {
  const { output } = await referee(["list", `--${side}`, ...args]);
  return readScenarios(output, side);
}

/** The checks of each scenario that the referee has left in a folder, by what `readName` makes of its subfolders' names. */
export function readResults(folder, readName) {
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true }) : [];
  const results = new Map();
  for (const entry of entries) {
    const scenario = readName(entry.replaceAll("\\", "/"));
    const file = join(folder, entry, "checks.json");
    if (scenario !== undefined && existsSync(file)) results.set(scenario, JSON.parse(readFileSync(file, "utf8")));
  }
  return results;
}

/** The verdict on a scenario of which there is no result. */
export function noResult(output) {
  return { passed: 0, problems: [`No result: ${output.trim().split("\n").slice(-5).join("\n    ")}`] };
}

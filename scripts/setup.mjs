// Brings a checkout into working order: installs what is missing, builds what is older than its sources.
// When nothing is to be done this costs a few milliseconds, so that every command can begin with it.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { mapLimited, node, pnpm } from "./run.mjs";
import { listEntries, listWorkspaces, ROOT, withDependencies } from "./workspace.mjs";

const STAMP = join(ROOT, "node_modules", ".mortise-setup.json");
const SHARED_INPUTS = ["tsup.config.base.ts", "tsconfig.base.json", "pnpm-lock.yaml"];

/** A step of the set-up failed. `output` is what the tool printed. */
class SetupError extends Error {
  constructor(message, output) {
    super(message);
    this.output = output;
  }
}

/**
 * Installs and builds, and says what it does. Ends the process with what the tool printed when a step fails.
 *
 * @param {{ folders?: readonly string[] }} [options]
 *   `folders` limits the work to these workspaces and what they depend on; without it everything is set up
 */
export async function setup({ folders } = {}) {
  const all = listWorkspaces();
  const wanted = folders === undefined ? all : withDependencies(all, folders);
  try {
    if (!isInstalled(wanted)) await install(all, wanted);
    const stale = wanted.filter((workspace) => !isBuilt(workspace));
    if (stale.length > 0) await build(stale);
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    console.error(`${error.message}.\n${error.output}`.trimEnd());
    process.exit(1);
  }
}

function isInstalled(wanted) {
  if (!existsSync(join(ROOT, "node_modules", ".modules.yaml"))) return false;
  const lock = readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8");
  // pnpm leaves a copy of what it installed: equal means that all of it is there, whoever installed it.
  const installed = join(ROOT, "node_modules", ".pnpm", "lock.yaml");
  if (existsSync(installed) && readFileSync(installed, "utf8") === lock) return true;
  if (!existsSync(STAMP)) return false;
  const stamp = JSON.parse(readFileSync(STAMP, "utf8"));
  return stamp.lock === hash(lock) && wanted.every((workspace) => stamp.folders.includes(workspace.folder));
}

async function install(all, wanted) {
  const isPartial = wanted.length < all.length;
  console.log("Installing dependencies …");
  const flags = ["install", "--frozen-lockfile", "--prefer-offline"];
  let folders = wanted.map((workspace) => workspace.folder);
  let done = await pnpm([...flags, ...(isPartial ? folders.map((folder) => `--filter=./${folder}`) : [])]);
  if (done.code !== 0 && isPartial) {
    folders = all.map((workspace) => workspace.folder);
    done = await pnpm(flags);
  }
  if (done.code !== 0) throw new SetupError("Installing the dependencies failed", done.output);
  mkdirSync(join(ROOT, "node_modules"), { recursive: true });
  writeFileSync(STAMP, JSON.stringify({ lock: hash(readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")), folders }));
}

/** Whether every file that `build` makes is younger than everything it is made from. */
export function isBuilt({ path }) {
  const config = join(path, "tsup.config.ts");
  const result = join(path, "dist", "metafile-esm.json");
  if (!existsSync(config)) return true;
  if (!existsSync(result)) return false;
  const inputs = [...SHARED_INPUTS.map((name) => join(ROOT, name)), config, join(path, "package.json")];
  return statSync(result).mtimeMs >= Math.max(newest(join(path, "src")), ...inputs.map(age));
}

/** The time of the youngest file or folder; folders count because a removed file leaves its mark there. */
function newest(folder) {
  let time = age(folder);
  if (!existsSync(folder)) return time;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    time = Math.max(time, entry.isDirectory() ? newest(path) : age(path));
  }
  return time;
}

function age(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

/** Builds the JavaScript alone: running needs no declarations, and they take most of the time of a whole build. */
async function build(stale) {
  console.log(`Building ${stale.map((workspace) => workspace.folder.split("/").at(-1)).join(", ")} …`);
  await mapLimited(stale, availableParallelism(), async (workspace) => {
    const tsup = join(workspace.path, "node_modules", "tsup", "dist", "cli-default.js");
    const done = await node([tsup, "--silent"], { cwd: workspace.path, env: { MORTISE_BUILD: "js" } });
    const missing = listEntries(workspace).filter(({ js }) => js && !existsSync(join(workspace.path, js)));
    if (done.code !== 0 || missing.length > 0) {
      throw new SetupError(
        `Building ${workspace.folder} failed`,
        done.output || `No file for ${missing[0]?.specifier}`,
      );
    }
  });
}

function hash(text) {
  return createHash("sha256").update(text).digest("hex");
}

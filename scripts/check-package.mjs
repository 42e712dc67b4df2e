// pnpm package: packs every published package and looks at the archives as their users will: publint and
// are-the-types-wrong on each, then all of them installed in an empty folder, loaded by `import` and by `require`, and the
// command driven by other implementations' clients.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { driveCommand } from "./drive-command.mjs";
import { mapLimited, node, pnpm, run } from "./run.mjs";
import { listEntries, listWorkspaces } from "./workspace.mjs";

const LOADER = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
for (const specifier of process.argv.slice(2)) {
  const imported = Object.keys(await import(specifier)).sort();
  const required = Object.keys(require(specifier)).filter((name) => name !== "__esModule").sort();
  if (imported.length === 0) throw new Error(specifier + " exports nothing");
  if (String(imported) !== String(required)) throw new Error(specifier + " differs between import and require");
}
`;

const packages = listWorkspaces().filter((workspace) => workspace.isPublic);
const folder = mkdtempSync(join(tmpdir(), "mortise-package-"));
const problems = [];
try {
  const archives = await packAll(join(folder, "archives"));
  for (const { name, output } of await mapLimited(archives, 2, lint)) if (output) problems.push(`${name}\n${output}`);
  problems.push(...(await installAndLoad(archives, join(folder, "user"))));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${packages.length} packages install and load, and the command works`);

async function packAll(destination) {
  mkdirSync(destination);
  const archives = [];
  for (const workspace of packages) {
    const before = new Set(readdirSync(destination));
    const done = await pnpm(["pack", "--pack-destination", destination], { cwd: workspace.path });
    const name = readdirSync(destination).find((file) => !before.has(file));
    if (done.code !== 0 || name === undefined) throw new Error(`Packing ${workspace.name} failed\n${done.output}`);
    archives.push({ workspace, archive: join(destination, name) });
  }
  return archives;
}

async function lint({ workspace, archive }) {
  const [published, types] = [
    await run("publint", [archive, "--strict"]),
    await run("attw", [archive, "--profile", "esm-only", "--no-emoji", "--no-color"]),
  ];
  const output = [published, types].filter(({ code }) => code !== 0).map((done) => done.output);
  return { name: workspace.name, output: output.join("\n") };
}

/** npm, not pnpm, because its flat folder hides least: what is missing from a manifest fails to resolve. */
async function installAndLoad(archives, user) {
  mkdirSync(user);
  const files = Object.fromEntries(archives.map(({ workspace, archive }) => [workspace.name, `file:${archive}`]));
  const manifest = { name: "user", private: true, type: "module", dependencies: files, overrides: files };
  writeFileSync(join(user, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(user, "load.mjs"), LOADER);
  const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"];
  const installed = await run("npm", ["install", ...flags], { cwd: user });
  if (installed.code !== 0) return [`npm cannot install the packed packages\n${installed.output}`];
  const specifiers = archives.flatMap(({ workspace }) => listEntries(workspace).map((entry) => entry.specifier));
  const loaded = await node(["load.mjs", ...specifiers], { cwd: user });
  if (loaded.code !== 0) return [`The installed packages do not load\n${loaded.output}`];
  const { manifest: command } = packages.find(({ name }) => name === "mortise");
  const bin = join(user, "node_modules", command.name, command.bin.mortise);
  return driveCommand({ bin, version: command.version, cwd: user });
}

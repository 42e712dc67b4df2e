// Opens the official Inspector on the built example: node scripts/inspect.mjs [options of the Inspector]
// For its command line instead of its page: node scripts/inspect.mjs --cli --method tools/list
//
// One version, run from a folder outside this workspace, so that its many packages never mix with those here.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
/** The Inspector needs Node 22.19; an older one fetches this for it. The example itself keeps running on yours. */
const NODE_FOR_INSPECTOR = "node@22.23.3";
const SERVER = fileURLToPath(new URL("../dist/server.js", import.meta.url));

if (!existsSync(SERVER)) {
  console.error(`There is no ${SERVER}. Build the workspace first: npm start -- --once`);
  process.exit(1);
}

const folder = join(tmpdir(), "mortise-inspector");
mkdirSync(folder, { recursive: true });

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isRecent = major > 22 || (major === 22 && minor >= 19);
const packages = [...(isRecent ? [] : [NODE_FOR_INSPECTOR]), INSPECTOR].flatMap((name) => ["--package", name]);
const own = process.argv.slice(2);
const target = [process.execPath, SERVER];
const args = [
  "--yes",
  "--loglevel=error",
  ...packages,
  "--",
  "mcp-inspector",
  ...own,
  "--protocol-era",
  "modern",
  ...target,
];

// On Windows npx is a batch file, which cannot be started directly; the program behind it can.
const npx = join(dirname(process.execPath), "node_modules", "npm", "bin", "npx-cli.js");
const [command, first] = process.platform === "win32" ? [process.execPath, [npx]] : ["npx", []];
const inspector = spawn(command, [...first, ...args], { cwd: folder, stdio: "inherit" });
inspector.once("error", (error) => {
  console.error(`The Inspector could not be started: ${error.message}`);
  process.exitCode = 1;
});
inspector.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

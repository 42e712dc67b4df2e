// Opens the official Inspector on this example: node scripts/inspect.mjs [more options of the Inspector]
// It runs from a folder of its own, outside this workspace, so that its many packages never mix with those here.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const INSPECTOR = "@modelcontextprotocol/inspector@2.12.0";
const SERVER = fileURLToPath(new URL("../dist/server.js", import.meta.url));

if (!existsSync(SERVER)) {
  console.error(`There is no ${SERVER}: build this example first, with "pnpm build"`);
  process.exit(1);
}

const folder = join(tmpdir(), "mortise-inspector");
mkdirSync(folder, { recursive: true });

const npx = process.platform === "win32" ? "npx.cmd" : "npx";
const args = ["--yes", INSPECTOR, "--protocol-era", "modern", ...process.argv.slice(2), process.execPath, SERVER];
const inspector = spawn(npx, args, { cwd: folder, stdio: "inherit", shell: process.platform === "win32" });
inspector.once("error", (error) => {
  console.error(`The Inspector could not be started: ${error.message}`);
  process.exitCode = 1;
});
inspector.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

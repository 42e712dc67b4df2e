// pnpm conformance: lets the official referee judge apps/conformance. Arguments limit the run to the scenarios whose name
// contains one of them. The last line sums up: `conformance: N passed, M failed`.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVER_SCENARIOS } from "./conformance-scenarios.mjs";
import { judgeChecks } from "./conformance-verdict.mjs";
import { writeReport } from "./reports.mjs";
import { mapLimited, node } from "./run.mjs";
import { setup } from "./setup.mjs";
import { ROOT } from "./workspace.mjs";

const APP = join(ROOT, "apps", "conformance");
const REFEREE = join(APP, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const STAND_IN = join(ROOT, "scripts", "conformance-node20.mjs");
/** The referee starts in about one second of work: two at a time keep two cores busy, more only wait for each other. */
const WIDTH = 2;
const READY_MS = 10_000;

const wanted = process.argv.slice(2).filter((arg) => arg !== "--");
const runs = Object.entries(SERVER_SCENARIOS).flatMap(([version, names]) =>
  names
    .filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
    .map((name) => ({ name, version })),
);

process.exitCode = await main();

async function main() {
  await setup();
  const server = await startServer();
  const reports = mkdtempSync(join(tmpdir(), "mortise-conformance-"));
  let failed = 0;
  try {
    await mapLimited(runs, WIDTH, async (one, index) => {
      const { problems, passed } = await runScenario(one, server.url, join(reports, String(index)));
      if (problems.length > 0) failed++;
      console.log(`${problems.length === 0 ? "✓" : "✗"} ${one.version} ${one.name} (${passed} checks)`);
      for (const problem of problems) console.log(`    ${problem}`);
    });
  } finally {
    await server.stop();
    rmSync(reports, { recursive: true, force: true });
  }
  writeReport("conformance", { passed: runs.length - failed, failed });
  console.log(`conformance: ${runs.length - failed} passed, ${failed} failed`);
  return failed === 0 && runs.length > 0 ? 0 : 1;
}

async function runScenario({ name, version }, url, folder) {
  const flags = ["--scenario", name, "--spec-version", version, "--url", url, "--output-dir", folder];
  const { output } = await node(["--import", STAND_IN, REFEREE, "server", ...flags], { env: { NO_COLOR: "1" } });
  const report = existsSync(folder)
    ? readdirSync(folder).map((entry) => join(folder, entry, "checks.json"))[0]
    : undefined;
  if (report === undefined || !existsSync(report)) {
    return { passed: 0, problems: [`No report: ${output.trim().split("\n").slice(-5).join("\n    ")}`] };
  }
  return judgeChecks(JSON.parse(readFileSync(report, "utf8")));
}

/** Starts the fixture server on a free port and waits until it accepts connections. */
async function startServer() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(APP, "dist", "server.js")], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${port}/mcp`;
  const stop = async () => {
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), 3_000);
    await ended;
    clearTimeout(timer);
  };
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; ) {
    if (child.exitCode !== null) break;
    const answered = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      () => true,
      () => false,
    );
    if (answered) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await stop();
  console.error("The fixture server did not start");
  process.exit(1);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

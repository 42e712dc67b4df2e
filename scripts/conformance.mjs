// pnpm conformance: lets the official referee judge apps/conformance, in whole runs. Arguments limit this to the scenarios
// whose name contains one of them. The last line sums up: `conformance: N passed, M failed`.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readScenarioFolder, readServerScenarios, SERVER_RUNS } from "./conformance-scenarios.mjs";
import { judgeChecks } from "./conformance-verdict.mjs";
import { writeReport } from "./reports.mjs";
import { mapLimited, node } from "./run.mjs";
import { setup } from "./setup.mjs";
import { ROOT } from "./workspace.mjs";

const FOLDER = "apps/conformance";
const APP = join(ROOT, FOLDER);
const REFEREE = join(APP, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js");
const STAND_IN = join(ROOT, "scripts", "conformance-node20.mjs");
/** The referee starts in about one second of work: two at a time keep two cores busy, more only wait for each other. */
const WIDTH = 2;
const READY_MS = 10_000;

const wanted = process.argv.slice(2).filter((arg) => arg !== "--");

process.exitCode = await main();

async function main() {
  await setup({ folders: [FOLDER] });
  const server = await startServer();
  const reports = mkdtempSync(join(tmpdir(), "mortise-conformance-"));
  const counts = { passed: 0, failed: 0 };
  try {
    const judge = wanted.length === 0 ? judgeRun : judgeWanted;
    // One run after the other: each counts on a second or less between what it causes and what it sees.
    for (const [index, one] of SERVER_RUNS.entries()) {
      for (const verdict of await judge(one, server.url, join(reports, String(index)))) report(verdict, counts);
    }
  } finally {
    await server.stop();
    rmSync(reports, { recursive: true, force: true });
  }
  writeReport("conformance", counts);
  console.log(`conformance: ${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}

function report({ name, passed, problems }, counts) {
  counts[problems.length === 0 ? "passed" : "failed"]++;
  console.log(`${problems.length === 0 ? "✓" : "✗"} ${name} (${passed} checks)`);
  for (const problem of problems) console.log(`    ${problem}`);
}

/** Judges a whole run of the referee's. A scenario that it lists and leaves no result of has failed. */
async function judgeRun({ name, run, list }, url, folder) {
  const [listed, { output }] = [await listScenarios(list), await referee(["server", ...run, ...flags(url, folder)])];
  const found = readResults(folder);
  return listed.map((scenario) => ({
    name: `${name} ${scenario}`,
    ...judgeFound(found.get(scenario), output),
  }));
}

/** Judges the scenarios that were asked for, each by itself. */
async function judgeWanted({ name, list }, url, folder) {
  if (list.length === 0) return []; // each scenario belongs to a revision as well
  const scenarios = (await listScenarios(list)).filter((scenario) => wanted.some((part) => scenario.includes(part)));
  return mapLimited(scenarios, WIDTH, async (scenario) => {
    const place = join(folder, scenario);
    const one = ["--scenario", scenario, "--spec-version", name];
    const { output } = await referee(["server", ...one, ...flags(url, place)]);
    return { name: `${name} ${scenario}`, ...judgeFound(readResults(place).get(scenario), output) };
  });
}

async function listScenarios(which) {
  const { output } = await referee(["list", "--server", ...which]);
  return readServerScenarios(output);
}

function judgeFound(checks, output) {
  if (checks !== undefined) return judgeChecks(checks);
  return { passed: 0, problems: [`No result: ${output.trim().split("\n").slice(-5).join("\n    ")}`] };
}

/** The checks of each scenario that the referee has left in a folder. */
function readResults(folder) {
  const entries = existsSync(folder) ? readdirSync(folder) : [];
  const files = entries.map((entry) => [readScenarioFolder(entry), join(folder, entry, "checks.json")]);
  return new Map(
    files
      .filter(([scenario, file]) => scenario !== undefined && existsSync(file))
      .map(([scenario, file]) => [scenario, JSON.parse(readFileSync(file, "utf8"))]),
  );
}

function flags(url, folder) {
  return ["--url", url, "--output-dir", folder];
}

function referee(args) {
  return node(["--import", STAND_IN, REFEREE, ...args], { env: { NO_COLOR: "1" } });
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

// The leg in which the referee is the client: it judges the server in apps/conformance, in whole runs.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { FOLDER, listScenarios, noResult, readResults, referee, WIDTH } from "./conformance-referee.mjs";
import { isJudged, readServerFolder, SERVER_RUNS } from "./conformance-scenarios.mjs";
import { judgeChecks } from "./conformance-verdict.mjs";
import { mapLimited } from "./run.mjs";
import { ROOT } from "./workspace.mjs";

const READY_MS = 10_000;

/**
 * Judges the server on every run.
 *
 * @param {{ parts: readonly string[], folder: string, report: (verdict: { name: string, passed: number, problems: string[] }) => void }} leg
 *   `parts` limits it to scenarios whose name contains one of them; `folder` is for what the referee leaves behind
 */
export async function judgeServer({ parts, folder, report }) {
  const server = await startServer();
  try {
    // One run after the other: each counts on a second or less between what it causes and what it sees.
    for (const [index, one] of SERVER_RUNS.entries()) {
      const place = join(folder, String(index));
      const verdicts =
        parts.length === 0 ? await judgeRun(one, server.url, place) : await judgeParts(parts, one, server.url, place);
      for (const verdict of verdicts) report(verdict);
    }
  } finally {
    await server.stop();
  }
}

/** Judges a whole run of the referee's. A scenario that it lists and leaves no result of has failed. */
async function judgeRun({ name, run, list }, url, folder) {
  const [listed, { output }] = [await listJudged(list), await referee(["server", ...run, ...flags(url, folder)])];
  const found = readResults(folder, readServerFolder);
  return listed.map((scenario) => ({ name: `${name} ${scenario}`, ...judgeFound(found.get(scenario), output) }));
}

/** Judges the scenarios that were asked for, each by itself. */
async function judgeParts(parts, { name, list }, url, folder) {
  if (list.length === 0) return []; // each scenario belongs to a revision as well
  const scenarios = (await listJudged(list)).filter((scenario) => parts.some((part) => scenario.includes(part)));
  return mapLimited(scenarios, WIDTH, async (scenario) => {
    const place = join(folder, scenario);
    const one = ["--scenario", scenario, "--spec-version", name];
    const { output } = await referee(["server", ...one, ...flags(url, place)]);
    return { name: `${name} ${scenario}`, ...judgeFound(readResults(place, readServerFolder).get(scenario), output) };
  });
}

async function listJudged(which) {
  return (await listScenarios("server", which)).filter(isJudged);
}

function judgeFound(checks, output) {
  return checks === undefined ? noResult(output) : judgeChecks(checks);
}

function flags(url, folder) {
  return ["--url", url, "--output-dir", folder];
}

/** Starts the fixture server on a free port and waits until it accepts connections. */
async function startServer() {
  const port = await freePort();
  const child = spawn(process.execPath, [join(ROOT, FOLDER, "dist", "server.js")], {
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

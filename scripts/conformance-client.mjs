// The leg in which the referee is the server: it judges the client in apps/conformance, each scenario by itself.
import { join } from "node:path";
import { CLIENT_CHECKS, CLIENT_SKIPS } from "./conformance-expected.mjs";
import { FOLDER, listScenarios, noResult, readResults, referee, WIDTH } from "./conformance-referee.mjs";
import { CLIENT_RUNS, readClientFolder, UNLISTED_REVISION } from "./conformance-scenarios.mjs";
import { judgeChecks } from "./conformance-verdict.mjs";
import { mapLimited } from "./run.mjs";
import { ROOT } from "./workspace.mjs";

const CLIENT = join(ROOT, FOLDER, "dist", "client.js");
/** How the referee tells that a client failed, which it overlooks in scenarios where clients may. This one need not. */
const EXITED = /^Client exited with code \d+$/m;

/**
 * Judges the client in every scenario on every revision.
 *
 * @param {{ parts: readonly string[], folder: string, report: (verdict: { name: string, passed: number, problems: string[] }) => void }} leg
 *   `parts` limits it to scenarios whose name contains one of them; `folder` is for what the referee leaves behind
 */
export async function judgeClient({ parts, folder, report }) {
  const command = `"${process.execPath}" "${CLIENT}"`;
  const plan = await planRuns();
  for (const name of findUnlisted(plan))
    report({ name, passed: 0, problems: ["The referee does not list it any more"] });
  for (const { revision, scenarios } of plan) {
    const wanted = scenarios.filter((name) => parts.length === 0 || parts.some((part) => name.includes(part)));
    const verdicts = await mapLimited(wanted, WIDTH, (scenario) =>
      judgeClientRun({
        command,
        scenario,
        revision,
        folder: join(folder, `${revision}-${scenario.replaceAll("/", "-")}`),
      }),
    );
    for (const verdict of verdicts) report(verdict);
  }
}

/**
 * Judges any command as a client in one scenario on one revision.
 *
 * @param {{ command: string, scenario: string, revision: string, folder: string }} one
 * @returns {Promise<{ name: string, passed: number, problems: string[] }>}
 */
export async function judgeClientRun({ command, scenario, revision, folder }) {
  const name = `${revision} client ${scenario}`;
  const what = ["--scenario", scenario, "--spec-version", revision, "--force"];
  const { code, output } = await referee(["client", "--command", command, ...what, "--output-dir", folder]);
  const checks = readResults(folder, readClientFolder).get(scenario);
  if (checks === undefined) return { name, ...noResult(output) };
  const least = CLIENT_CHECKS[scenario]?.[revision];
  const { passed, problems } = judgeChecks(checks, { least, skips: CLIENT_SKIPS[scenario]?.checks });
  if (least === undefined) problems.push("No number of checks is expected: see conformance-expected.mjs");
  const exited = output.match(EXITED)?.[0];
  if (exited !== undefined || code !== 0) problems.push(exited ?? `The referee exited with code ${code}`);
  if (problems.length > 0) problems.push(...explain(output));
  return { name, passed, problems };
}

/** Every revision's scenarios; after them those that no revision lists. */
async function planRuns() {
  const lists = [...CLIENT_RUNS.map(({ list }) => list), []];
  const listed = await mapLimited(lists, WIDTH, (list) => listScenarios("client", list));
  const unlisted = listed.pop().filter((scenario) => !listed.some((scenarios) => scenarios.includes(scenario)));
  return [
    ...CLIENT_RUNS.map(({ revision }, index) => ({ revision, scenarios: listed[index] })),
    { revision: UNLISTED_REVISION, scenarios: unlisted },
  ];
}

/** What is expected and not planned: a list that was not understood must not make the leg shorter. */
function findUnlisted(plan) {
  const planned = new Set(plan.flatMap(({ revision, scenarios }) => scenarios.map((name) => `${revision} ${name}`)));
  return Object.entries(CLIENT_CHECKS)
    .flatMap(([scenario, revisions]) => Object.keys(revisions).map((revision) => `${revision} ${scenario}`))
    .filter((name) => !planned.has(name));
}

/** The first lines of what the client wrote, if it failed. */
function explain(output) {
  const wrote = output.match(/^Stderr:\n(.*?)^(?:Results saved|Checks:)/ms)?.[1] ?? "";
  return wrote.trim().split("\n").slice(0, 6).filter(Boolean);
}

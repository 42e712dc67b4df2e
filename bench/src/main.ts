import { parseArgs } from "node:util";
import { reportBundles } from "./bundle-size.js";
import { reportWorkload } from "./report.js";
import { measure, type Pace } from "./slices.js";
import { reportStreams } from "./stream-memory.js";
import { WORKLOADS, type Workload } from "./workloads.js";

const FULL: Pace = { sliceMs: 1000, rounds: 5, warmUp: { calls: 20_000, slices: 4 } };
const SMOKE: Pace = { sliceMs: 30, rounds: 1, warmUp: { calls: 0, slices: 0 } };

const { values } = parseArgs({
  options: {
    smoke: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
    without: { type: "string", multiple: true, default: [] },
    rounds: { type: "string" },
    slice: { type: "string" },
  },
});

const failed = await run();
process.exitCode = failed ? 1 : 0;

async function run(): Promise<boolean> {
  const base = values.smoke ? SMOKE : FULL;
  const pace: Pace = {
    ...base,
    sliceMs: Number(values.slice ?? base.sliceMs),
    rounds: Number(values.rounds ?? base.rounds),
  };
  const chosen = WORKLOADS.filter(({ name }) => isChosen(name));
  if (chosen.length === 0 && !isChosen("streams") && !isChosen("bundle"))
    throw new Error(`Expected --only to name one of ${WORKLOADS.map(({ name }) => name).join(", ")}, streams, bundle`);
  const missed: string[] = [];
  for (const workload of chosen) {
    const contenders = workload.contenders.filter(({ name }) => !values.without.includes(name));
    const reached = reportWorkload(workload, await measure(contenders, pace), { judged: !values.smoke });
    if (reached === false) missed.push(workload.name);
  }
  if (isChosen("streams") && !(await reportStreams(values.without, { smoke: values.smoke }))) missed.push("streams");
  if (isChosen("bundle") && !(await reportBundles(values.without))) missed.push("bundle");
  return conclude(chosen, missed);
}

function isChosen(name: string): boolean {
  return values.only.length === 0 || values.only.includes(name);
}

function conclude(chosen: readonly Workload[], missed: readonly string[]): boolean {
  if (values.smoke) {
    console.log(`\n${chosen.length} workloads ran and every answer was right; the figures of a smoke run mean nothing`);
    return false;
  }
  console.log(missed.length === 0 ? "\nEvery bar is reached" : `\nBelow the bar: ${missed.join(", ")}`);
  return missed.length > 0;
}

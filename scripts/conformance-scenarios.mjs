// What the referee is asked to judge. One server answers every run; which scenarios there are is the referee's to say.

/**
 * Whole runs in which the referee is the client and `apps/conformance` the server: everything a revision requires, everything
 * there is for revisions it has no such list for, and everything there is. `list` asks the referee for a run's scenarios.
 *
 * @type {readonly { name: string, run: readonly string[], list: readonly string[] }[]}
 */
export const SERVER_RUNS = [
  { name: "2025-03-26", run: ["--suite", "all", ...speaking("2025-03-26")], list: speaking("2025-03-26") },
  { name: "2025-06-18", run: ["--suite", "all", ...speaking("2025-06-18")], list: speaking("2025-06-18") },
  { name: "2025-11-25", run: ["--requirements", "2025-11-25"], list: ["--requirements", "2025-11-25"] },
  { name: "2026-07-28", run: ["--requirements", "2026-07-28"], list: ["--requirements", "2026-07-28"] },
  { name: "all", run: ["--suite", "all"], list: [] },
];

function speaking(revision) {
  return ["--spec-version", revision];
}

/** Scenarios of extensions that the fixture server does not speak. */
const LEFT_OUT = /^(?:tasks|sep-2640)-/;

/** Whether a scenario is judged. */
export function isJudged(scenario) {
  return !LEFT_OUT.test(scenario);
}

/**
 * The server scenarios in what the referee's `list` printed, without those that are not judged. Scenarios that a revision
 * does not score are listed as `name [server]`.
 *
 * @param {string} output
 * @returns {string[]}
 */
export function readServerScenarios(output) {
  const names = new Set();
  let isServer = false;
  for (const line of output.split("\n")) {
    const heading = line.match(/^(\S.*):$/)?.[1];
    if (heading !== undefined) isServer = heading.startsWith("Server scenarios");
    const [, name, about = ""] = line.match(/^\s+- (\S+)(?: \[([^\]]*)\])?/) ?? [];
    if (name !== undefined && (isServer || about === "server") && isJudged(name)) names.add(name);
  }
  return [...names];
}

/** The scenario that a folder of the referee's results is about: `server-NAME-TIME`. */
export function readScenarioFolder(folder) {
  return folder.match(/^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/)?.[1];
}

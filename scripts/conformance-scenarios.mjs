// What the referee is asked to judge. Which scenarios there are is the referee's to say.

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

/**
 * The scenarios in which the referee is the server and a client of `apps/conformance` is judged, revision by revision, scored
 * or not. Each is a run of its own: in whole runs the referee overlooks warnings, exit codes and timeouts.
 *
 * @type {readonly { revision: string, list: readonly string[] }[]}
 */
export const CLIENT_RUNS = [
  { revision: "2025-03-26", list: speaking("2025-03-26") },
  { revision: "2025-06-18", list: speaking("2025-06-18") },
  { revision: "2025-11-25", list: ["--requirements", "2025-11-25"] },
  { revision: "2026-07-28", list: ["--requirements", "2026-07-28"] },
];

/** The revision on which clients are judged in scenarios that none of the runs above lists: those of new extensions. */
export const UNLISTED_REVISION = "2026-07-28";

function speaking(revision) {
  return ["--spec-version", revision];
}

/** Scenarios of extensions that the fixture server does not speak. */
const LEFT_OUT = /^(?:tasks|sep-2640)-/;

/** Whether a scenario for servers is judged. */
export function isJudged(scenario) {
  return !LEFT_OUT.test(scenario);
}

/**
 * The scenarios for one side in what the referee's `list` printed. Those that a revision does not score are listed as
 * `name [server]` or `name [client]`.
 *
 * @param {string} output
 * @param {"server" | "client"} side
 * @returns {string[]}
 */
export function readScenarios(output, side) {
  const title = side === "server" ? "Server scenarios" : "Client scenarios";
  const names = new Set();
  let isWanted = false;
  for (const line of output.split("\n")) {
    const heading = line.match(/^(\S.*):$/)?.[1];
    if (heading !== undefined) isWanted = heading.startsWith(title);
    const [, name, about = ""] = line.match(/^\s+- (\S+)(?: \[([^\]]*)\])?/) ?? [];
    if (name !== undefined && (isWanted || about === side)) names.add(name);
  }
  return [...names];
}

const TIME = String.raw`-\d{4}-\d\d-\d\dT[\d-]+Z`;
const SERVER_FOLDER = new RegExp(`^server-(.+)${TIME}$`);
const CLIENT_FOLDER = new RegExp(`^(.+)${TIME}$`);

/** The scenario that a folder of results about a server is about: `server-NAME-TIME`. */
export function readServerFolder(folder) {
  return folder.match(SERVER_FOLDER)?.[1];
}

/** The scenario that a folder of results about a client is about: `NAME-TIME`, where names may be paths. */
export function readClientFolder(folder) {
  return folder.match(CLIENT_FOLDER)?.[1];
}

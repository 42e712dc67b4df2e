import type { Contender } from "./contender.js";
import { createHttpContender, type HttpLoad } from "./http-load.js";
import { createClientContender, createFetchContender } from "./program-load.js";
import { createCommandContender, createStartContender } from "./start-load.js";
import { createStdioContender } from "./stdio-load.js";

/** One thing that is measured, for every program that can do it. */
export interface Workload {
  readonly name: string;
  readonly title: string;
  /** What decides beside the bar: CPU per call, or time per call where CPU cannot be read. */
  readonly by: "cpu" | "time";
  readonly contenders: readonly Contender[];
}

type Name = Contender["name"];
const ALL: readonly Name[] = ["plain", "official", "tmcp", "mortise"];
const WITHOUT_TMCP: readonly Name[] = ["plain", "official", "mortise"];
const IN_FLIGHT = 64;
const LARGE_IN_FLIGHT = 8;

/** Every workload, in the order of the table. */
export const WORKLOADS: readonly Workload[] = [
  http("http-modern", "HTTP tools/call, modern", { scenario: "greet", era: "modern", inFlight: IN_FLIGHT }),
  http("http-legacy", "HTTP tools/call, legacy, no sessions", {
    scenario: "greet",
    era: "legacy",
    inFlight: IN_FLIGHT,
  }),
  http("http-list", "HTTP tools/list of 100 tools", { scenario: "list", era: "modern", inFlight: IN_FLIGHT }),
  cpu("fetch", "fetch handler in process", ALL, (name) => createFetchContender(name, IN_FLIGHT)),
  cpu("stdio", "stdio tools/call, 64 in flight", ALL, (name) => createStdioContender(name, IN_FLIGHT)),
  http("result", "HTTP, 1 MiB result", { scenario: "result", era: "modern", inFlight: LARGE_IN_FLIGHT }),
  http("argument", "HTTP, 512 KiB argument", { scenario: "argument", era: "modern", inFlight: LARGE_IN_FLIGHT }),
  http("burst", "HTTP, 100 progress notices in one tick", { scenario: "burst", era: "modern", inFlight: IN_FLIGHT }),
  http("ticks", "HTTP, 20 progress notices, one a tick", { scenario: "ticks", era: "modern", inFlight: IN_FLIGHT }),
  start("start-json", "first answer on stdio, JSON Schema", WITHOUT_TMCP, "json"),
  start("start-zod", "first answer on stdio, zod", ALL, "zod"),
  {
    name: "start-command",
    title: "first answer of mortise mcp on stdio",
    by: "time",
    contenders: [createCommandContender("plain"), createCommandContender("mortise")],
  },
  cpu("client-one", "client, one call at a time", WITHOUT_TMCP, (name) => createClientContender(name, { inFlight: 1 })),
  cpu("client-many", "client, 64 calls at once", WITHOUT_TMCP, (name) =>
    createClientContender(name, { inFlight: IN_FLIGHT }),
  ),
  cpu("client-fetch", "client on the global fetch, 64 calls at once", ["plain", "mortise"], (name) =>
    createClientContender(name, { inFlight: IN_FLIGHT, platform: "fetch" }),
  ),
];

function http(name: string, title: string, load: HttpLoad): Workload {
  return cpu(name, title, ALL, (contender) => createHttpContender(contender, load));
}

function cpu(name: string, title: string, names: readonly Name[], create: (name: Name) => Contender): Workload {
  return { name, title, by: "cpu", contenders: names.map(create) };
}

function start(name: string, title: string, names: readonly Name[], schemas: "json" | "zod"): Workload {
  return { name, title, by: "time", contenders: names.map((contender) => createStartContender(contender, schemas)) };
}

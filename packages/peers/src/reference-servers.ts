import { createRequire } from "node:module";
import { FIXTURES } from "./build-fixtures.js";
import type { Target } from "./peer-client.js";
import { type RunningServer, startHttpProgram } from "./peer-server.js";

const require = createRequire(import.meta.url);

/** The reference servers that are published as programs. */
export type ReferenceServer = "server-everything" | "server-filesystem" | "server-memory";

/** How server-everything carries messages; both listening ones on a free loopback port, the first with sessions. */
export type EverythingWay = "stdio" | "http" | "HTTP+SSE";

const EVERYTHING_PROGRAMS = { http: "everything-http", "HTTP+SSE": "everything-http-sse" } as const;

/** All of them. */
export const EVERYTHING_WAYS: readonly EverythingWay[] = ["stdio", "http", "HTTP+SSE"];

/** How a client starts a reference server on a pipe. */
export function describeReference(
  name: ReferenceServer,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Target {
  const program = require.resolve(`@modelcontextprotocol/${name}/dist/index.js`);
  return { command: process.execPath, args: [program, ...args], env: { PATH: process.env.PATH ?? "", ...env } };
}

/** Makes server-everything reachable in one of its ways. */
export async function startEverything(way: EverythingWay): Promise<RunningServer> {
  if (way === "stdio") return { target: describeReference("server-everything"), stop: async () => undefined };
  return startHttpProgram(`${FIXTURES}${EVERYTHING_PROGRAMS[way]}.js`);
}

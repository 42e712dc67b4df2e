import { createRequire } from "node:module";
import { FIXTURES } from "./build-fixtures.js";
import type { Target } from "./peer-client.js";
import { type RunningServer, startHttpProgram } from "./peer-server.js";

const require = createRequire(import.meta.url);

/** The reference servers that are published as programs. */
export type ReferenceServer = "server-everything" | "server-filesystem" | "server-memory";

/** How a client starts a reference server on a pipe. */
export function describeReference(
  name: ReferenceServer,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Target {
  const program = require.resolve(`@modelcontextprotocol/${name}/dist/index.js`);
  return { command: process.execPath, args: [program, ...args], env: { PATH: process.env.PATH ?? "", ...env } };
}

/** Starts server-everything on a free loopback port, over Streamable HTTP with sessions. */
export function startEverythingOverHttp(): Promise<RunningServer> {
  return startHttpProgram(`${FIXTURES}everything-http.js`);
}

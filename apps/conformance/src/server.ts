/*
 * The server that the official conformance referee judges. One endpoint answers every revision of the protocol:
 *
 *   PORT=3100 node apps/conformance/dist/server.js        http://127.0.0.1:3100/mcp
 */

import { http } from "@mortise/node";
import { MortiseError } from "@mortise/server";
import { createFixtureServer } from "./fixture-server.js";

const DEFAULT_PORT = 3100;

/** Legacy clients are remembered: they get a session, a stream for what is sent between their requests, and streams that can be gone on with. */
const LEGACY = { sessions: "memory", getStream: true, resumable: true } as const;

const server = createFixtureServer();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
try {
  const port = Number(process.env.PORT || DEFAULT_PORT);
  const { url } = await server.listen(http({ port, path: "/mcp", legacy: LEGACY }));
  console.log(`Conformance fixture on ${url}`);
} catch (error) {
  if (!(error instanceof MortiseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

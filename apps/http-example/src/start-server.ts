import { createExampleServer } from "@mortise/example-tools";
import { http } from "@mortise/node";
import { type MCPServer, MortiseError } from "@mortise/server";

const DEFAULT_PORT = 3000;

/** A server that answers, and where. */
export interface RunningServer {
  readonly server: MCPServer;
  readonly url: string;
}

/** The port to listen on: `PORT`, if it is set. Throws a `MortiseError`, `invalid_options`, for what is no port number. */
export function readPort(env: NodeJS.ProcessEnv = process.env): number {
  const port = Number(env.PORT || DEFAULT_PORT);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  const expected = "Expected the environment variable PORT to be a whole number from 0 to 65535";
  throw new MortiseError("invalid_options", `${expected}, received "${env.PORT}"`);
}

/** Serves the example tools over HTTP, to this machine alone. Rejects with a `MortiseError`, `address_in_use`, for a taken port. */
export async function startServer(port: number): Promise<RunningServer> {
  const server = createExampleServer();
  const { url } = await server.listen(http({ port, path: "/mcp" }));
  return { server, url };
}

/** What to tell the user of a failure. */
export function explainFailure(error: Error): string {
  const isTaken = error instanceof MortiseError && error.code === "address_in_use";
  return isTaken ? `${error.message} with the environment variable PORT` : error.message;
}

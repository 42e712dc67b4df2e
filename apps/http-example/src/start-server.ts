import { createExampleServer } from "@mortise/example-tools";
import { http } from "@mortise/node";
import type { MCPServer } from "@mortise/server";

const DEFAULT_PORT = 3000;

/** A server that answers, and where. */
export interface RunningServer {
  readonly server: MCPServer;
  readonly url: string;
}

/** The port to listen on: `PORT`, if it is set. What is no number becomes `NaN`, which `http()` refuses. */
export function readPort(env: NodeJS.ProcessEnv = process.env): number {
  return Number(env.PORT || DEFAULT_PORT);
}

/**
 * Serves the example tools over HTTP, to this machine alone. Rejects with a `MortiseError`: `address_in_use` for a taken
 * port, `invalid_options` for one that is no port number.
 */
export async function startServer(port: number): Promise<RunningServer> {
  const server = createExampleServer();
  const { url } = await server.listen(http({ port, path: "/mcp" }));
  return { server, url };
}

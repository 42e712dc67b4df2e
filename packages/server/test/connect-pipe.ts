import type { MCPServer } from "@mortise/server";
import type { Pipe, PipeConnection } from "@mortise/server/transport";
import { Owed } from "../src/owed.js";
import { ServerPipe } from "../src/pipe.js";

/** Does what `server.connectPipe` does once its part of the server is loaded, within the same turn. */
export function connectPipe(server: MCPServer, pipe: Pipe): PipeConnection {
  return new ServerPipe(server.inside, new Owed(), pipe);
}

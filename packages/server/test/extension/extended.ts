import { type Bus, type JsonObject, MCPServer } from "@mortise/server";
import { type Answer, modern, modernMeta } from "../eras.js";

export const ID = "com.example/x";

export function createServer(errors: unknown[] = [], bus?: Bus): MCPServer {
  const server = new MCPServer({
    name: "test",
    version: "1",
    bus,
    state: { keys: [{ id: "test", key: new Uint8Array(32) }] },
    onError: (error) => errors.push(error),
  });
  server.tool("echo", { input: { type: "object" } }, (args) => JSON.stringify(args));
  return server;
}

/** The `_meta` of a client that knows the extension. */
export function knowing(settings: JsonObject = {}): JsonObject {
  return { _meta: modernMeta({ "io.modelcontextprotocol/clientCapabilities": { extensions: { [ID]: settings } } }) };
}

export function ask(server: MCPServer, method: string, params: JsonObject = {}): Promise<Answer> {
  return modern.ask(server, method, { ...params, ...knowing() });
}

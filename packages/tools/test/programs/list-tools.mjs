// Does what a server does before its first call.
import { MCPServer } from "@mortise/server";
import { addProviderTools } from "@mortise/tools";

const server = new MCPServer({ name: "test", version: "1.0.0" });
addProviderTools(server, { env: process.env });
await server.handle({ jsonrpc: "2.0", id: 1, method: "tools/list" });

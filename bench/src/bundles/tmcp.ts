import { HttpTransport } from "@tmcp/transport-http";
import { McpServer } from "tmcp";

const info = { name: "bundle", version: "1.0.0", description: "bundle" };
const server = new McpServer(info, { adapter: undefined, capabilities: { tools: {} } });
server.tool({ name: "greet", description: "Greet" }, async () => ({ content: [{ type: "text", text: "Hello" }] }));
const transport = new HttpTransport(server, { path: "/mcp" });

export const fetch = (request: Request): Promise<Response | null> => transport.respond(request);

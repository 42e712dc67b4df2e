import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { START_TOOLS } from "../start-tools.js";

serveStdio(() => {
  const server = new McpServer({ name: "start", version: "1.0.0" }, { capabilities: { tools: {} } });
  for (const { name, description, inputSchema } of START_TOOLS) {
    server.registerTool(name, { description, inputSchema: fromJsonSchema({ ...inputSchema } as object) }, () => ({
      content: [],
    }));
  }
  return server;
});

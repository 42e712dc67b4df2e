import { createMcpHandler, fromJsonSchema, type McpHttpHandler, McpServer } from "@modelcontextprotocol/server";

const inputSchema = fromJsonSchema({ type: "object", properties: { name: { type: "string" } }, required: ["name"] });

export const handler: McpHttpHandler = createMcpHandler(() => {
  const server = new McpServer({ name: "bundle", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.registerTool("greet", { description: "Greet", inputSchema }, () => ({
    content: [{ type: "text", text: "Hello" }],
  }));
  return server;
});

import { McpServer } from "@modelcontextprotocol/server";
import { type ScenarioTool, SERVER_INFO } from "./scenario.js";

/** The scenario's tools on the official server, schemas in zod. Its entries make one such object per request or connection. */
export function createOfficialServer(tools: readonly ScenarioTool[]): McpServer {
  const server = new McpServer(SERVER_INFO, { capabilities: { tools: {} } });
  for (const tool of tools) {
    const config = {
      description: tool.description,
      inputSchema: tool.input,
      ...(tool.output && { outputSchema: tool.output }),
    };
    server.registerTool(tool.name, config, async (args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      const answer = await tool.run(args, (progress) => {
        if (progressToken === undefined) return;
        void ctx.mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress } });
      });
      const content = [{ type: "text" as const, text: answer.text }];
      return answer.structured === undefined ? { content } : { content, structuredContent: answer.structured };
    });
  }
  return server;
}

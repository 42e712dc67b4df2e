import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { type CallToolResult, McpServer } from "tmcp";
import type { ZodType } from "zod";
import { type ScenarioTool, SERVER_INFO } from "./scenario.js";

/** The scenario's tools on tmcp, schemas in zod. */
export function createTmcpServer(tools: readonly ScenarioTool[]): McpServer<ZodType> {
  const server = new McpServer<ZodType>(
    { ...SERVER_INFO, description: "bench" },
    { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } },
  );
  for (const tool of tools) {
    const { name, description, input: schema, output } = tool;
    server.tool(
      { name, description, schema, ...(output && { outputSchema: output }) },
      async (args: Record<string, unknown>) => {
        const answer = await tool.run(args, (progress) => server.progress(progress, 100));
        const content = [{ type: "text" as const, text: answer.text }];
        const result =
          answer.structured === undefined ? { content } : { content, structuredContent: answer.structured };
        return result as CallToolResult<Record<string, unknown>>; // its type wants structuredContent even without an output schema
      },
    );
  }
  return server;
}

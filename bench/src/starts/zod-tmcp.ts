import { ZodJsonSchemaAdapter } from "@tmcp/adapter-zod";
import { StdioTransport } from "@tmcp/transport-stdio";
import { McpServer } from "tmcp";
import type { ZodType } from "zod";
import { START_TOOLS } from "../start-tools.js";
import { createStartInput } from "../start-zod.js";

const info = { name: "start", version: "1.0.0", description: "start" };
const server = new McpServer<ZodType>(info, { adapter: new ZodJsonSchemaAdapter(), capabilities: { tools: {} } });
for (const { name, description } of START_TOOLS) {
  server.tool({ name, description, schema: createStartInput() }, async () => ({ content: [] }));
}
new StdioTransport(server).listen();

import { MCPServer } from "@mortise/server";
import { stdio } from "@mortise/stdio";
import { START_TOOLS } from "../start-tools.js";

const server = new MCPServer({ name: "start", version: "1.0.0" });
for (const { name, description, inputSchema } of START_TOOLS) {
  server.tool(name, { description, input: inputSchema }, () => "done");
}
await server.listen(stdio());

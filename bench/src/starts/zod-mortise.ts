import { MCPServer } from "@mortise/server";
import { stdio } from "@mortise/stdio";
import { START_TOOLS } from "../start-tools.js";
import { createStartInput } from "../start-zod.js";

const server = new MCPServer({ name: "start", version: "1.0.0" });
for (const { name, description } of START_TOOLS) {
  server.tool(name, { description, input: createStartInput() }, () => "done");
}
await server.listen(stdio());

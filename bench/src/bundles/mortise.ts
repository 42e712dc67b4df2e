import { createHttpHandler } from "@mortise/http";
import { MCPServer } from "@mortise/server";

const server = new MCPServer({ name: "bundle", version: "1.0.0" });
server.tool("greet", { description: "Greet" }, () => "Hello");

export const fetch: (request: Request) => Promise<Response> = createHttpHandler(server);

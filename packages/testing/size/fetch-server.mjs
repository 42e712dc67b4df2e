// The smallest server behind `fetch`: what it weighs in a bundle is checked by `pnpm size`.
import { createHttpHandler } from "@mortise/http";
import { MCPServer } from "@mortise/server";

const server = new MCPServer({ name: "smallest", version: "1.0.0" });
server.tool("greet", { description: "Greets" }, () => "Hello!");

export const handler = createHttpHandler(server);

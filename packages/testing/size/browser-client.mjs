// A web page that calls a server over HTTP: what it weighs in a bundle is checked by `pnpm size`.
import { MCPClient } from "@mortise/client";

const client = new MCPClient("https://example.com/mcp");

export const greet = () => client.callTool("greet", { name: "Ada" });

// A web page that calls a server over HTTP: what it weighs in a bundle is checked by `pnpm size`.
import { MCPClient } from "@mortise/client";

export const greet = (url) => new MCPClient(url).callTool("greet");

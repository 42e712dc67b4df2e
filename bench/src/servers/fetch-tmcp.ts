import { HttpTransport } from "@tmcp/transport-http";
import { serveFetchLoad } from "../fetch-load.js";
import { createTools } from "../scenario.js";
import { createTmcpServer } from "../tmcp-server.js";

const transport = new HttpTransport(createTmcpServer(createTools("greet")), { path: "/mcp" });
serveFetchLoad(async (request) => (await transport.respond(request)) ?? new Response(null, { status: 404 }));

import { HttpTransport } from "@tmcp/transport-http";
import { answerParent } from "../answering.js";
import { serveFetchOnLoopback } from "../loopback-fetch.js";
import { createTools, readScenario } from "../scenario.js";
import { createTmcpServer } from "../tmcp-server.js";

const transport = new HttpTransport(createTmcpServer(createTools(readScenario())), { path: "/mcp" });
const fetch = async (request: Request): Promise<Response> =>
  (await transport.respond(request)) ?? new Response(null, { status: 404 });
const port = serveFetchOnLoopback({ fetch });
answerParent({ port: () => port });

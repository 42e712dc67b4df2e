import { createMcpHandler } from "@modelcontextprotocol/server";
import { serveFetchLoad } from "../fetch-load.js";
import { createOfficialServer } from "../official-server.js";
import { createTools } from "../scenario.js";

const tools = createTools("greet");
serveFetchLoad(createMcpHandler(() => createOfficialServer(tools)).fetch);

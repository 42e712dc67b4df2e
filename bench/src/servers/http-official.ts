import { createMcpHandler } from "@modelcontextprotocol/server";
import { answerParent } from "../answering.js";
import { serveFetchOnLoopback } from "../loopback-fetch.js";
import { createOfficialServer } from "../official-server.js";
import { createTools, readScenario } from "../scenario.js";

const tools = createTools(readScenario());
const port = serveFetchOnLoopback(createMcpHandler(() => createOfficialServer(tools)));
answerParent({ port: () => port });

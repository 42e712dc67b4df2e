import { StdioTransport } from "@tmcp/transport-stdio";
import { answerParent } from "../answering.js";
import { createTools } from "../scenario.js";
import { createTmcpServer } from "../tmcp-server.js";

new StdioTransport(createTmcpServer(createTools("greet"))).listen();
answerParent({});

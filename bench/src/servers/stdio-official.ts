import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { answerParent } from "../answering.js";
import { createOfficialServer } from "../official-server.js";
import { createTools } from "../scenario.js";

serveStdio(() => createOfficialServer(createTools("greet")));
answerParent({});

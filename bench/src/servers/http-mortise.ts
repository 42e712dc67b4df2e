import { createServer } from "node:http";
import { createNodeHttpHandler } from "@mortise/node";
import { answerParent } from "../answering.js";
import { serveOnLoopback } from "../loopback.js";
import { createMortiseServer } from "../mortise-server.js";
import { createTools, readScenario } from "../scenario.js";

const handler = createNodeHttpHandler(createMortiseServer(createTools(readScenario())), {
  path: "/mcp",
  onError: (error) => console.error(error),
});
const port = serveOnLoopback(createServer(handler));
answerParent({ port: () => port });

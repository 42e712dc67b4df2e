import { createHttpHandler } from "@mortise/http";
import { serveFetchLoad } from "../fetch-load.js";
import { createMortiseServer } from "../mortise-server.js";
import { createTools } from "../scenario.js";

serveFetchLoad(createHttpHandler(createMortiseServer(createTools("greet"))));

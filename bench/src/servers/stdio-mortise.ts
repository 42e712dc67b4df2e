import { stdio } from "@mortise/stdio";
import { answerParent } from "../answering.js";
import { createMortiseServer } from "../mortise-server.js";
import { createTools } from "../scenario.js";

await createMortiseServer(createTools("greet")).listen(stdio());
answerParent({});

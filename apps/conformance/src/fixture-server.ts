import { MCPServer } from "@mortise/server";
import { addChangeTools } from "./change-tools.js";
import { addContentTools } from "./content-tools.js";
import { addDiagnosticTools } from "./diagnostic-tools.js";
import { addPollingTool } from "./polling-tool.js";
import { addPrompts } from "./prompts.js";
import { addQuestionTools } from "./question-tools.js";
import { addResources } from "./resources.js";
import { addRoundTripTools } from "./round-trip-tools.js";
import { addSchemaTools } from "./schema-tools.js";

/**
 * Builds the server with everything the referee asks for. The names are the referee's.
 *
 * The order matters in one place: the referee calls whichever tool is listed first with no arguments, and it has to succeed.
 */
export function createFixtureServer(): MCPServer {
  const server = new MCPServer({
    name: "mortise-conformance",
    version: "0.1.0",
    title: "Mortise conformance fixture",
    instructions: "Serves what the conformance referee expects. Nothing here is useful otherwise.",
    // Seals what travels through clients between two calls. Several processes would have to share the key.
    state: { keys: [{ id: "this-run", key: crypto.getRandomValues(new Uint8Array(32)) }] },
  });
  addContentTools(server);
  addSchemaTools(server);
  addDiagnosticTools(server);
  addChangeTools(server);
  addQuestionTools(server);
  addRoundTripTools(server);
  addPollingTool(server);
  addResources(server);
  addPrompts(server);
  return server;
}

import { MCPServer } from "@mortise/server";
import { addChangeTools } from "./change-tools.js";
import { addContentTools } from "./content-tools.js";
import { addDiagnosticTools } from "./diagnostic-tools.js";
import { addPrompts } from "./prompts.js";
import { addResources } from "./resources.js";
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
  });
  addContentTools(server);
  addSchemaTools(server);
  addDiagnosticTools(server);
  addChangeTools(server);
  addResources(server);
  addPrompts(server);
  return server;
}

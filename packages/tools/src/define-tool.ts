import type { JsonObject } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import { PROVIDERS } from "./providers/provider-table.js";
import type { ToolSettings } from "./tool-settings.js";
import type { ToolSpec } from "./tool-spec.js";

/**
 * Registers a tool. Its input gets the argument `provider`. What runs it, and everything of a provider, is loaded with the first
 * call; a `ToolFailure` becomes a result with `isError`.
 */
export function defineTool(server: MCPServer, spec: ToolSpec, settings: ToolSettings): void {
  const { name, title, description, output, annotations } = spec;
  server.tool(name, { title, description, annotations, input: addProvider(spec), output }, async (args, context) => {
    const { callTool } = await import("./call-tool.js");
    return callTool(spec, args, { context, settings });
  });
}

function addProvider({ input, needs }: ToolSpec): JsonObject {
  const rows = PROVIDERS.filter(
    ({ image, modelVariable }) => (needs === "image" ? image : modelVariable) !== undefined,
  );
  const provider = {
    type: "string",
    enum: rows.map(({ id }) => id),
    description: "Which provider is asked. Default: the first one that is configured",
  };
  // The input of a tool is an object, so its properties are one, too.
  const own = input.properties as JsonObject | undefined;
  return { ...input, properties: { ...own, provider: own?.provider ?? provider } };
}

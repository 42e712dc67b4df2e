import type { MCPServer } from "@mortise/server";

/** Tools that announce changes to everyone who listens, on whatever connection. */
export function addChangeTools(server: MCPServer): void {
  server.tool("test_trigger_tool_change", { description: "Announces that the tools changed" }, () => {
    server.notify.toolsChanged();
    return "Announced.";
  });

  server.tool("test_trigger_prompt_change", { description: "Announces that the prompts changed" }, () => {
    server.notify.promptsChanged();
    return "Announced.";
  });
}

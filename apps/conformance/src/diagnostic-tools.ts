import type { MCPServer } from "@mortise/server";

/** Tools that show how the server treats callers who declared little. */
export function addDiagnosticTools(server: MCPServer): void {
  // Turned away with error -32021 before it runs, unless the caller declared that it can sample.
  server.tool("test_missing_capability", { description: "Needs a client with a model", asks: ["sample"] }, () => {
    return "The client declared sampling.";
  });

  server.tool(
    "test_streaming_elicitation",
    { description: "Puts nothing but notices on its stream" },
    async (_args, ctx) => {
      await ctx.progress(1, 1);
      return "Nothing was asked on the response stream.";
    },
  );

  // Reaches only callers who named a log level in their request.
  server.tool("test_logging_tool", { description: "Logs for callers who asked for a log" }, async (_args, ctx) => {
    await ctx.log("info", "The tool was called");
    return "Done.";
  });
}

import { type HandlerContext, MCPServer } from "@mortise/server";
import { type Answer, type ScenarioTool, SERVER_INFO } from "./scenario.js";

/** The scenario's tools on Mortise, schemas in zod. */
export function createMortiseServer(tools: readonly ScenarioTool[]): MCPServer {
  const server = new MCPServer({ ...SERVER_INFO, onError: (error) => console.error(error) });
  for (const tool of tools) {
    const { name, description, input, output } = tool;
    if (output === undefined) {
      server.tool(name, { description, input }, (args, ctx) => settle(run(tool, args, ctx), ({ text }) => text));
    } else {
      server.tool(name, { description, input, output }, (args, ctx) =>
        settle(run(tool, args, ctx), ({ structured }) => structured ?? {}),
      );
    }
  }
  return server;
}

function run(
  tool: ScenarioTool,
  args: Readonly<Record<string, unknown>>,
  ctx: HandlerContext,
): Answer | Promise<Answer> {
  return tool.run(args, (progress) => void ctx.progress(progress));
}

/** Stays synchronous when the handler is. */
function settle<T>(answer: Answer | Promise<Answer>, read: (answer: Answer) => T): T | Promise<T> {
  return answer instanceof Promise ? answer.then(read) : read(answer);
}

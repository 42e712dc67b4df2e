import { MCPServer } from "@mortise/server";

const MESSAGE = { type: "object", properties: { message: { type: "string" } }, required: ["message"] } as const;

/** A server with tools, resources, a prompt, and a question. */
export function createSmokeServer(): MCPServer {
  const server = new MCPServer({ name: "smoke", version: "1.0.0", onWarning: () => undefined });
  addCalls(server);
  let cancelled = 0;
  let slow = 0;
  server.tool("slow", {}, async (_, { signal }) => {
    slow += 1;
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    slow -= 1;
    cancelled += 1;
    return "never heard";
  });
  server.tool("slow-calls", {}, () => String(slow));
  server.tool("cancelled", {}, () => String(cancelled));
  server.tool("change", {}, () => {
    server.notify.toolsChanged();
    return "changed";
  });
  server.resource("memo://note", { name: "note", mimeType: "text/plain" }, () => "a note");
  server.resource("memo://item/{id}", { name: "item" }, ({ params: { id } }) => `item ${id}`);
  server.prompt(
    "greet",
    { input: [{ name: "name", required: true }], complete: { name: () => ["Ada"] } },
    ({ name }) => `Hello, ${name}`,
  );
  return server;
}

function addCalls(server: MCPServer): void {
  const NAME = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;
  server.tool("greet", { input: NAME, output: MESSAGE }, ({ name }) => ({ message: `Hello, ${name}!` }));
  server.tool("misfit", { output: MESSAGE }, () => ({ message: "fits" }));
  server.use(async ({ method, params }, next) => {
    const result = await next();
    return method === "tools/call" && params.name === "misfit"
      ? { ...result, structuredContent: { message: 7 } }
      : result;
  });
  server.tool("fail", {}, () => {
    throw new Error("no luck");
  });
  const COUNT = { type: "object", properties: { to: { type: "integer" } }, required: ["to"] } as const;
  server.tool("count", { input: COUNT }, async ({ to }, { progress }) => {
    for (let at = 1; at <= to; at += 1) await progress(at, to);
    return "counted";
  });
  server.tool("ask", {}, async (_, { elicit }) => {
    const answer = await elicit({ message: "Who?", schema: NAME });
    return answer.action === "accept" ? `It is ${answer.content.name}` : answer.action;
  });
  const REGION = {
    type: "object",
    properties: { region: { type: "string", "x-mcp-header": "Region" } },
    required: ["region"],
  } as const;
  server.tool("region", { input: REGION }, ({ region }) => region);
}

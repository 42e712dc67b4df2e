// Calls tools that run, or validate with a library, what a model made. Writes what comes to stderr, as a server on a pipe would.
import { MCPServer } from "@mortise/server";
import { addProviderTools } from "@mortise/tools";

const server = new MCPServer({ name: "test", version: "1.0.0" });
addProviderTools(server, { env: process.env });
await call("generate_regex", { description: "Letters a" });
await call("generate_openapi_spec", { input: "GET /pets gives all pets" });

async function call(name, args) {
  const { result } = await server.handle({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  console.error(`${name}: ${JSON.stringify(result)}`);
}

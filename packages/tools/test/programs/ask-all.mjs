// Asks every provider that is configured, for words and for JSON. Writes what comes to stderr, as a server on a pipe would.
import { MCPServer } from "@mortise/server";
import { addProviderTools, describeProviders } from "@mortise/tools";

const server = new MCPServer({ name: "test", version: "1.0.0" });
addProviderTools(server, { env: process.env, log: (line) => console.error(`log: ${line}`) });
for (const { id, configured, model } of describeProviders(process.env)) {
  if (!configured || model === undefined) continue;
  await call("ask_model", { prompt: "Hello?", provider: id });
  await call("review_code", { code: "let a", provider: id });
}

async function call(name, args) {
  const answer = await server.handle({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name, arguments: args },
  });
  console.error(JSON.stringify(answer));
}

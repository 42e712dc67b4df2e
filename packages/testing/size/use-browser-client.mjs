// The work of the page: it calls a modern server and a legacy one.
import { http } from "@mortise/node";
import { MCPServer } from "@mortise/server";

export async function use({ greet }) {
  for (const version of ["2026-07-28", "2025-11-25"]) {
    const server = new MCPServer({ name: "greeter", version: "1.0.0", protocolVersions: [version] });
    server.tool("greet", { description: "Greets" }, () => "Hello!");
    const { url } = await server.listen(http({ port: 0 }));
    const { text } = await greet(url);
    if (text !== "Hello!") throw new Error(`Expected a greeting, received ${text}`);
    await server.close();
  }
}

import { MCPServer } from "@mortise/server";
import { stdio } from "@mortise/stdio";

// A server on stdio whose tools change what it has.
const server = new MCPServer({ name: "watched", version: "1.0.0", onWarning: () => undefined });
server.tool("touch", {}, () => {
  server.notify.toolsChanged();
  server.notify.resourceUpdated("docs://a");
  return "touched";
});
server.tool("die", {}, () => process.exit(3));
server.tool("leave", {}, () => {
  setTimeout(() => void server.close(), 0);
  return "leaving";
});
server.resource("docs://a", { name: "a" }, () => "text");
await server.listen(stdio());

import { expect, test } from "vitest";
import { formatRegistration } from "../src/registration.js";

const URL = "http://127.0.0.1:3000/mcp";

test("offers JSON that hosts can read, for both ways to reach the server", () => {
  const lines = formatRegistration({ program: "/opt/example/server.js", url: URL });

  const stdio = { command: "node", args: ["/opt/example/server.js"] };
  expect(lines.filter((line) => line.trim().startsWith("{")).map((line) => JSON.parse(line))).toEqual([
    { mcpServers: { "mortise-example": stdio } },
    { servers: { "mortise-example": { type: "stdio", ...stdio } } },
    { mcpServers: { "mortise-example": { url: URL } } },
    { servers: { "mortise-example": { type: "http", url: URL } } },
  ]);
});

test("quotes a path that a shell would take apart", () => {
  const lines = formatRegistration({ program: "/home/ada lovelace/it's/server.js", url: URL });

  expect(lines).toContain("    claude mcp add mortise-example -- node '/home/ada lovelace/it'\\''s/server.js'");
});

import { MCPServer } from "@mortise/server";
import { describe, expect, test, vi } from "vitest";
import { legacy } from "../eras.js";

describe("the routing headers of a legacy request", () => {
  test.each([
    ["are not there", {}, true],
    ["repeat the body", { "Mcp-Method": "tools/call", "Mcp-Name": "search" }, true],
    ["name another method", { "Mcp-Method": "tools/list" }, false],
    ["name another tool", { "Mcp-Method": "tools/call", "Mcp-Name": "other" }, false],
    ["do not decode", { "Mcp-Name": "=?base64?!!!?=" }, false],
  ])("are no duty, but must be true: %s", async (_, headers, accepted) => {
    const handler = vi.fn(() => "found");
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("search", {}, handler);

    const answer = await legacy.ask(server, "tools/call", { name: "search" }, { headers });

    if (accepted) expect(answer).toHaveProperty("result");
    else expect(answer).toHaveProperty("error.code", -32020);
    expect(handler).toHaveBeenCalledTimes(accepted ? 1 : 0);
  });
});

import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { modern } from "../eras.js";

describe("a modern result", () => {
  test("says that it is complete and who sends it", async () => {
    const server = new MCPServer({ name: "test", version: "1", title: "Test" });

    const { result } = await modern.ask(server, "server/discover");

    expect(result.resultType).toBe("complete");
    expect(result._meta).toEqual({
      "io.modelcontextprotocol/serverInfo": { name: "test", version: "1", title: "Test" },
    });
  });

  test("says that it is complete where a handler left that open", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", {}, () => ({ content: [], resultType: undefined }));

    expect((await modern.call(server, "t")).result.resultType).toBe("complete");
  });

  test("does not name the server where that is switched off", async () => {
    const server = new MCPServer({ name: "test", version: "1", stampServerInfo: false, tools: [] });

    expect((await modern.ask(server, "server/discover")).result).not.toHaveProperty("_meta");
    expect((await modern.ask(server, "tools/list")).result).not.toHaveProperty("_meta");
  });

  test.each(["server/discover", "tools/list"])("of %s says how long it may be kept", async (method) => {
    const server = new MCPServer({ name: "test", version: "1", tools: [] });

    expect((await modern.ask(server, method)).result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
  });

  test("has the cache hints that were set", async () => {
    const server = new MCPServer({
      name: "test",
      version: "1",
      tools: [],
      cache: { tools: { ttlMs: 5, scope: "private" } },
    });

    expect((await modern.ask(server, "tools/list")).result).toMatchObject({ ttlMs: 5, cacheScope: "private" });
  });

  test("is private where the caller is known", async () => {
    const server = new MCPServer({ name: "test", version: "1", tools: [] });

    expect((await modern.ask(server, "tools/list", {}, { principal: "ann" })).result.cacheScope).toBe("private");
  });

  test.each([
    ["private where something is known of the caller that handlers may go by", { scopes: ["read"] }, "private"],
    ["public where a framework says that nothing is known", null, "public"],
  ])("is %s", async (_, auth, scope) => {
    const server = new MCPServer({ name: "test", version: "1", tools: [] });

    expect((await modern.ask(server, "tools/list", {}, { auth })).result.cacheScope).toBe(scope);
  });

  test("of a call carries no cache hints", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    server.tool("t", {}, () => "x");

    expect((await modern.call(server, "t")).result).not.toHaveProperty("ttlMs");
  });

  test("answers an id that needs escaping", async () => {
    const server = new MCPServer({ name: "test", version: "1" });
    const message = { jsonrpc: "2.0", id: 'a"\u2028', method: "ping" };

    expect(await server.handle(message)).toHaveProperty("id", 'a"\u2028');
  });
});

import { MCPServer, type ServerOptions } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { legacy, modern } from "./eras.js";

function createServer(options: Partial<ServerOptions> = {}): MCPServer {
  const server = new MCPServer({ name: "test", version: "1", ...options });
  server.tool("t", {}, () => "x");
  server.prompt("p", {}, () => "x");
  server.resource("test://r", {}, () => "x");
  server.resource("test://t/{a}", {}, () => "x");
  return server;
}

const CACHEABLE = [
  ["server/discover", "discover", {}],
  ["tools/list", "tools", {}],
  ["prompts/list", "prompts", {}],
  ["resources/list", "resources", {}],
  ["resources/templates/list", "templates", {}],
  ["resources/read", "read", { uri: "test://r" }],
] as const;

describe.each(CACHEABLE)("the cache hints of %s", (method, feature, params) => {
  const hints = async (server: MCPServer, options = {}) => {
    const { ttlMs, cacheScope } = (await modern.ask(server, method, params, options)).result;
    return { ttlMs, cacheScope };
  };

  test("are a minute for everybody, unless the server says otherwise", async () => {
    expect(await hints(createServer())).toEqual({ ttlMs: 60_000, cacheScope: "public" });
  });

  test("are the feature's own", async () => {
    const server = createServer({ cache: { [feature]: { ttlMs: 5, scope: "private" } } });

    expect(await hints(server)).toEqual({ ttlMs: 5, cacheScope: "private" });
    for (const [other, name, otherParams] of CACHEABLE) {
      if (name === feature) continue;
      const { result } = await modern.ask(server, other, otherParams);
      expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: "public" });
    }
  });

  test("keep what an authorized caller gets to that caller", async () => {
    expect(await hints(createServer(), { principal: "ada" })).toEqual({ ttlMs: 60_000, cacheScope: "private" });
  });

  test("outlast middleware", async () => {
    const server = createServer().use((_, next) => next());

    expect(await hints(server)).toEqual({ ttlMs: 60_000, cacheScope: "public" });
  });

  test("are not for legacy clients", async () => {
    if (method === "server/discover") return;
    const { result } = await legacy.ask(createServer(), method, params);

    expect(result).not.toHaveProperty("ttlMs");
    expect(result).not.toHaveProperty("cacheScope");
  });
});

test.each([
  ["tools/call", { name: "t" }],
  ["prompts/get", { name: "p" }],
])("%s is never kept", async (method, params) => {
  const { result } = await modern.ask(createServer(), method, params);

  expect(result).not.toHaveProperty("ttlMs");
});

test.each(CACHEABLE.map(([, feature]) => feature))("a hint for %s that is none is refused", (feature) => {
  expect(() => createServer({ cache: { [feature]: { ttlMs: -1 } } })).toThrow(`cache.${feature}`);
});

import type { JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { modern, modernMeta } from "../eras.js";

function createServer(): MCPServer {
  const server = new MCPServer({ name: "test", version: "1" });
  server.tool(
    "search",
    {
      input: {
        type: "object",
        properties: {
          region: { type: "string", "x-mcp-header": "Region" },
          limit: { type: "integer", "x-mcp-header": "Limit" },
        },
      },
    },
    (args) => JSON.stringify(args),
  );
  server.tool("asks", { asks: ["sample", "elicit.form"] }, () => "ran");
  server.tool("résumé", {}, () => "ok");
  return server;
}

const HEADERS = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "search" };

async function post(
  params: JsonObject,
  headers: Record<string, string | undefined>,
  method = "tools/call",
): Promise<unknown> {
  const message = { jsonrpc: "2.0", id: 1, method, params: { _meta: modernMeta(), ...params } };
  return createServer().handle(message, { transport: "http", headers });
}

describe("the envelope of a modern request", () => {
  test.each([
    ["no capabilities", { "io.modelcontextprotocol/clientCapabilities": undefined }],
    ["capabilities that are no object", { "io.modelcontextprotocol/clientCapabilities": [] }],
    ["a version that is no string", { "io.modelcontextprotocol/protocolVersion": 20260728 }],
    ["client information without a name", { "io.modelcontextprotocol/clientInfo": {} }],
    ["an unknown log level", { "io.modelcontextprotocol/logLevel": "loud" }],
    ["a log level that is null", { "io.modelcontextprotocol/logLevel": null }],
  ])("with %s is refused as invalid params", async (_, meta) => {
    const { error } = await modern.ask(createServer(), "tools/list", { _meta: meta });

    expect(error.code).toBe(-32602);
  });

  test("may leave the client information out", async () => {
    const { result } = await modern.ask(createServer(), "tools/list", {
      _meta: { "io.modelcontextprotocol/clientInfo": undefined },
    });

    expect(result.tools).toHaveLength(3);
  });

  test.each(["2025-11-25", "1900-01-01", "__proto__"])(
    "with the version %s is refused with the versions that are served",
    async (version) => {
      const { error } = await modern.ask(createServer(), "tools/list", {
        _meta: { "io.modelcontextprotocol/protocolVersion": version },
      });

      expect(error.code).toBe(-32022);
      expect(error.data).toEqual({
        supported: ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"],
        requested: version,
      });
    },
  );
});

describe("the headers of a modern request", () => {
  test("are accepted when they repeat the body", async () => {
    expect(await post({ name: "search" }, HEADERS)).toHaveProperty("result");
  });

  test.each([
    ["no version header", { "MCP-Protocol-Version": undefined }],
    ["another version header", { "MCP-Protocol-Version": "2025-11-25" }],
    ["no method header", { "Mcp-Method": undefined }],
    ["another method header", { "Mcp-Method": "tools/list" }],
    ["a method header in another case", { "Mcp-Method": "TOOLS/CALL" }],
    ["no name header", { "Mcp-Name": undefined }],
    ["another name header", { "Mcp-Name": "other" }],
    ["a name header that does not decode", { "Mcp-Name": "=?base64?!!!?=" }],
    ["a name header whose bytes are not UTF-8", { "Mcp-Name": "=?base64?/w==?=" }],
  ])("are refused with %s", async (_, change) => {
    expect(await post({ name: "search" }, { ...HEADERS, ...change })).toMatchObject({ id: 1, error: { code: -32020 } });
  });

  test("may encode the name", async () => {
    const answer = await post({ name: "résumé" }, { ...HEADERS, "Mcp-Name": "=?base64?csOpc3Vtw6k=?=" });

    expect(answer).toHaveProperty("result");
  });

  test.each([
    ["a parameter header is missing", { region: "eu" }, {}, false],
    ["a parameter header differs", { region: "eu" }, { "Mcp-Param-Region": "us" }, false],
    ["a parameter header repeats its argument", { region: "eu" }, { "Mcp-Param-Region": "eu" }, true],
    ["an integer is written another way", { limit: 42 }, { "Mcp-Param-Limit": "42.0" }, true],
    ["an argument is absent, and so is its header", {}, {}, true],
  ])("are judged when %s", async (_, args, headers, accepted) => {
    const answer = await post({ name: "search", arguments: args }, { ...HEADERS, ...headers });

    if (accepted) expect(answer).toHaveProperty("result");
    else expect(answer).toHaveProperty("error.code", -32020);
  });

  test("are compared before the version is judged", async () => {
    const _meta = modernMeta({ "io.modelcontextprotocol/protocolVersion": "1900-01-01" });

    expect(await post({ name: "search", _meta }, HEADERS)).toHaveProperty("error.code", -32020);
    expect(await post({ name: "search", _meta }, { ...HEADERS, "MCP-Protocol-Version": "1900-01-01" })).toHaveProperty(
      "error.code",
      -32022,
    );
  });

  test("with a modern version and no envelope are refused as invalid params, whatever the method", async () => {
    const message = { jsonrpc: "2.0", id: 1, method: "server/discover", params: {} };

    const answer = await createServer().handle(message, { headers: { "mcp-protocol-version": "2026-07-28" } });

    expect(answer).toHaveProperty("error.code", -32602);
  });
});

describe("a method that the modern revisions lack", () => {
  test.each([
    "initialize",
    "ping",
    "logging/setLevel",
    "resources/subscribe",
    "prompts/list",
    "nope",
    "__proto__",
    "constructor",
  ])("(%s) does not exist", async (method) => {
    const { error } = await modern.ask(createServer(), method);

    expect(error.code).toBe(-32601);
  });

  test("exists for ping where that was asked for", async () => {
    const server = new MCPServer({ name: "test", version: "1", lenient: { modernPing: true } });

    expect((await modern.ask(server, "ping")).result.resultType).toBe("complete");
  });
});

describe("a tool that cannot do without questions", () => {
  test("is not run for a client that did not declare them", async () => {
    const { error } = await modern.call(createServer(), "asks");

    expect(error.code).toBe(-32021);
    expect(error.data).toEqual({ requiredCapabilities: { sampling: {}, elicitation: { form: {} } } });
  });

  test("is run for one that did", async () => {
    const _meta = { "io.modelcontextprotocol/clientCapabilities": { sampling: {}, elicitation: {} } };

    const { result } = await modern.ask(createServer(), "tools/call", { name: "asks", _meta });

    expect(result.content[0].text).toBe("ran");
  });
});

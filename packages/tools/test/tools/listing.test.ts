import { isObject, type JsonObject } from "@mortise/core";
import { MCPServer } from "@mortise/server";
import { expect, test } from "vitest";
import { addProviderTools, TOOL_NAMES } from "../../src/index.js";

async function listTools(): Promise<readonly JsonObject[]> {
  const server = new MCPServer({ name: "test", version: "1.0.0" });
  addProviderTools(server, { env: {} });
  const response = await server.handle({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/list",
    params: {
      _meta: {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      },
    },
  });
  const result = isObject(response) && isObject(response.result) ? response.result : {};
  return Array.isArray(result.tools) ? result.tools.filter(isObject) : [];
}

const TOOLS = await listTools();

test("lists all fifteen tools", () => {
  expect(TOOLS.map(({ name }) => name)).toEqual(TOOL_NAMES);
  expect(TOOLS).toHaveLength(15);
});

test.each(TOOLS.map((tool) => [String(tool.name), tool]))(
  "%s says what it is, in words a model can go by",
  (_name, tool) => {
    expect(tool).toMatchObject({
      title: expect.stringMatching(/^[A-Z].{3,40}$/),
      description: expect.stringMatching(/^.{60,600}$/),
      annotations: { readOnlyHint: true, openWorldHint: expect.any(Boolean) },
    });
  },
);

test.each(TOOLS.map((tool) => [String(tool.name), tool]))(
  "%s describes every argument, and takes a provider",
  (_name, tool) => {
    const { inputSchema } = tool;
    expect(inputSchema).toMatchObject({ type: "object", properties: { provider: { type: "string" } } });
    const properties = isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {};
    for (const property of Object.values(properties))
      expect(property).toMatchObject({ description: expect.stringMatching(/^.{5,}/) });
  },
);

test("only the list of providers stays within the server", () => {
  const closed = TOOLS.filter(({ annotations }) => isObject(annotations) && annotations.openWorldHint === false);

  expect(closed.map(({ name }) => name)).toEqual(["list_providers"]);
});

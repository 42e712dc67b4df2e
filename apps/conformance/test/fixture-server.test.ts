import { expect, test } from "vitest";
import { createFixtureServer } from "../src/fixture-server.js";
import { CONTACT_SCHEMA } from "../src/schema-tools.js";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

test("the tool that is listed first succeeds without arguments", async () => {
  const server = createFixtureServer();
  const first = server.getToolDefinitions()[0]?.name;

  const params = { name: first, arguments: {}, _meta: META };
  const response = await server.handle({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

  expect(response).toHaveProperty("result");
  expect(response).not.toHaveProperty("result.isError");
});

test("every tool has a description and an input schema", () => {
  for (const tool of createFixtureServer().getToolDefinitions()) {
    expect(tool).toMatchObject({ description: expect.stringMatching(/./), inputSchema: { type: "object" } });
  }
});

test("a schema with keywords of JSON Schema 2020-12 is listed as it was given", () => {
  const tool = createFixtureServer()
    .getToolDefinitions()
    .find(({ name }) => name === "json_schema_2020_12_tool");

  expect(tool?.inputSchema).toEqual(CONTACT_SCHEMA);
});

test("one tool has a text argument that clients repeat in a header", () => {
  const tool = createFixtureServer()
    .getToolDefinitions()
    .find(({ name }) => name === "test_x_mcp_header");

  expect(tool).toHaveProperty("inputSchema.properties.region", { type: "string", "x-mcp-header": "Region" });
});

test("a tool that needs a client with a model is refused to a client without one", async () => {
  const params = { name: "test_missing_capability", arguments: {}, _meta: META };
  const response = await createFixtureServer().handle({ jsonrpc: "2.0", id: 1, method: "tools/call", params });

  expect(response).toMatchObject({ error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } } });
});

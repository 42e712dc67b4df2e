import { describe, expect, test } from "vitest";
import { ADAPTERS } from "./adapters.js";
import { createFixture, modern } from "./fixture.js";

const INPUT = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    limit: { type: "integer", "x-mcp-header": "Limit" },
    urgent: { type: "boolean", "x-mcp-header": "Urgent" },
  },
} as const;

describe.each(ADAPTERS)("$name", (adapter) => {
  test.each([
    { title: "repeats its argument", args: { region: "eu" }, headers: { "Mcp-Param-Region": "eu" }, status: 200 },
    {
      title: "repeats it encoded",
      args: { region: "Zürich" },
      headers: { "mcp-param-region": "=?base64?WsO8cmljaA==?=" },
      status: 200,
    },
    { title: "writes an integer another way", args: { limit: 7 }, headers: { "Mcp-Param-Limit": "7.0" }, status: 200 },
    { title: "repeats a boolean", args: { urgent: true }, headers: { "Mcp-Param-Urgent": "true" }, status: 200 },
    { title: "is absent like its argument", args: {}, headers: {}, status: 200 },
    { title: "is missing", args: { region: "eu" }, headers: {}, status: 400 },
    { title: "differs", args: { region: "eu" }, headers: { "Mcp-Param-Region": "us" }, status: 400 },
    { title: "comes without its argument", args: {}, headers: { "Mcp-Param-Region": "eu" }, status: 400 },
    {
      title: "is sent as raw bytes",
      args: { region: "Zürich" },
      headers: { "Mcp-Param-Region": "Z\xFCrich" },
      status: 400,
    },
    {
      title: "does not decode",
      args: { region: "eu" },
      headers: { "Mcp-Param-Region": "=?base64?!!!?=" },
      status: 400,
    },
  ])("answers $status before the tool runs when a parameter header $title", async ({ args, headers, status }) => {
    const { server } = createFixture();
    let runs = 0;
    server.tool("search", { input: INPUT }, () => {
      runs += 1;
      return "found";
    });
    const mounted = await adapter.mount(server);

    const answer = await mounted.send(
      modern("tools/call", { name: "search", arguments: args }, { headers: headers as Record<string, string> }),
    );

    await mounted.close();
    expect(answer.status).toBe(status);
    if (status === 400) expect(JSON.parse(answer.body).error.code).toBe(-32020);
    expect(runs).toBe(status === 200 ? 1 : 0);
  });
});

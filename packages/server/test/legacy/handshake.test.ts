import { MCPServer } from "@mortise/server";
import { describe, expect, test } from "vitest";
import { createLegacy, legacy, modern } from "../eras.js";

const info = { name: "test", version: "1", title: "Test", websiteUrl: "https://example.com/" };

function opening(protocolVersion: unknown): Record<string, unknown> {
  return { protocolVersion, capabilities: {}, clientInfo: { name: "probe", version: "1" } };
}

describe("initialize", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("agrees on %s", async (version) => {
    const { result } = await legacy.ask(new MCPServer(info), "initialize", opening(version));

    expect(result.protocolVersion).toBe(version);
  });

  test.each(["2030-01-01", "2024-10-07", "2026-07-28", "", "__proto__"])(
    "answers %j with the newest version there is",
    async (version) => {
      const { result } = await legacy.ask(new MCPServer(info), "initialize", opening(version));

      expect(result.protocolVersion).toBe("2025-11-25");
    },
  );

  test.each([undefined, 20250618, null])("refuses the version %j", async (version) => {
    const { error } = await legacy.ask(new MCPServer(info), "initialize", opening(version));

    expect(error.code).toBe(-32602);
  });

  test("names the server in the words of the version", async () => {
    const { result: old } = await legacy.ask(new MCPServer(info), "initialize", opening("2024-11-05"));
    const { result: newest } = await legacy.ask(new MCPServer(info), "initialize", opening("2025-11-25"));

    expect(old.serverInfo).toEqual({ name: "test", version: "1" });
    expect(newest.serverInfo).toEqual(info);
  });

  test("gives the instructions and what the server can do", async () => {
    const server = new MCPServer({ ...info, instructions: "Be kind", tools: [] });

    const { result } = await legacy.ask(server, "initialize", opening("2025-11-25"));

    expect(result.instructions).toBe("Be kind");
    expect(result.capabilities).toEqual({ logging: {}, tools: {} });
  });

  test("is refused with the versions by a server of modern revisions only", async () => {
    const server = new MCPServer({ ...info, protocolVersions: ["2026-07-28"] });

    const { error } = await legacy.ask(server, "initialize", opening("2025-11-25"));

    expect(error.data.supported).toEqual(["2026-07-28"]);
  });

  test("answers only versions that are served", async () => {
    const server = new MCPServer({ ...info, protocolVersions: ["2025-06-18", "2026-07-28"] });

    expect((await legacy.ask(server, "initialize", opening("2025-11-25"))).result.protocolVersion).toBe("2025-06-18");
    expect((await legacy.ask(server, "tools/list")).error.code).toBe(-32600);
  });
});

describe("a legacy result", () => {
  test("is free of modern members", async () => {
    const server = new MCPServer({ ...info, tools: [] });

    expect((await legacy.ask(server, "ping")).result).toEqual({});
    expect((await legacy.ask(server, "tools/list")).result).toEqual({ tools: [] });
  });

  test("is free of the type that a handler gave it", async () => {
    const server = new MCPServer(info);
    server.tool("t", {}, () => ({ content: [], resultType: "complete" }));

    expect((await legacy.call(server, "t")).result).toEqual({ content: [] });
  });

  test.each(["server/discover", "nope", "__proto__"])("does not exist for %s", async (method) => {
    expect((await legacy.ask(new MCPServer(info), method)).error.code).toBe(-32601);
  });
});

describe("a tool that cannot do without questions", () => {
  test("tells a legacy model that its client lacks them", async () => {
    const server = new MCPServer(info);
    server.tool("asks", { asks: ["elicit.form"] }, () => "ran");

    expect((await legacy.call(server, "asks")).result).toMatchObject({ isError: true });
  });
});

describe("results and listings on older revisions", () => {
  const server = new MCPServer(info);
  const schema = { $defs: { n: { type: "number" } }, type: "array", items: { $ref: "#/$defs/n" } } as const;
  server.tool(
    "list",
    {
      title: "List",
      description: "d",
      icons: [{ src: "data:," }],
      annotations: { readOnlyHint: true },
      output: schema,
    },
    () => [1, 2],
  );
  server.tool("media", {}, () => [
    { type: "audio", data: "AA==", mimeType: "audio/wav" },
    { type: "resource_link", uri: "file:///a", name: "a" },
  ]);

  test.each([
    ["2025-11-25", ["name", "title", "description", "icons", "inputSchema", "outputSchema", "annotations"]],
    ["2025-06-18", ["name", "title", "description", "inputSchema", "outputSchema", "annotations"]],
    ["2025-03-26", ["name", "description", "inputSchema", "annotations"]],
    ["2024-11-05", ["name", "description", "inputSchema"]],
  ])("%s lists the members it knows", async (version, members) => {
    const { result } = await createLegacy(version).ask(server, "tools/list");

    expect(Object.keys(result.tools[0]).sort()).toEqual([...members].sort());
  });

  test("wrap output that is no object, and list it so", async () => {
    const { result: listed } = await legacy.ask(server, "tools/list");
    const { result } = await legacy.call(server, "list");

    expect(listed.tools[0].outputSchema).toMatchObject({
      type: "object",
      required: ["result"],
      properties: { result: { type: "array", items: { $ref: "#/properties/result/$defs/n" } } },
    });
    expect(result.structuredContent).toEqual({ result: [1, 2] });
  });

  test.each([
    ["an array", [1, 2], [1, 2]],
    ["an object that JSON holds as text", new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("wrap %s that a tool without an output schema returns", async (_, returned, expected) => {
    const loose = new MCPServer(info);
    loose.tool("t", {}, () => returned);

    expect((await legacy.call(loose, "t")).result.structuredContent).toEqual({ result: expected });
    expect((await modern.call(loose, "t")).result.structuredContent).toEqual(expected);
  });

  test("leave structured output out where a revision has none", async () => {
    const { result } = await createLegacy("2025-03-26").call(server, "list");

    expect(result).toEqual({ content: [{ type: "text", text: "[1,2]" }] });
  });

  test.each([
    ["2025-11-25", ["audio", "resource_link"]],
    ["2025-06-18", ["audio", "resource_link"]],
    ["2025-03-26", ["audio", "text"]],
    ["2024-11-05", ["resource", "text"]],
  ])("%s sends content kinds it knows", async (version, kinds) => {
    const { result } = await createLegacy(version).call(server, "media");

    expect(result.content.map((block: { type: string }) => block.type)).toEqual(kinds);
  });
});

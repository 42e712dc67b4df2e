import { MCPClient } from "@mortise/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";

function open(options: ConstructorParameters<typeof MCPClient>[0]): MCPClient {
  const client = new MCPClient(options);
  onTestFinished(() => client.close());
  return client;
}

describe("a modern HTTP server", () => {
  test("is discovered, listed and called", async () => {
    const fake = await startFake(serveModern());
    const client = open(fake.url);

    const server = await client.connect();
    const result = await client.callTool("echo", { text: "hi" });

    expect(server).toEqual({
      protocolVersion: "2026-07-28",
      serverInfo: { name: "fake", version: "1" },
      capabilities: { tools: {} },
      instructions: "Be kind",
      era: "modern",
    });
    expect(result).toMatchObject({ content: [{ type: "text", text: "hi" }], isError: false, text: "hi" });
    expect(fake.methods()).toEqual(["server/discover", "tools/list", "tools/call"]);
  });
});

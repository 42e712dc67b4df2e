import { describe, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { startFake } from "./fake-http.js";
import { serveModern } from "./modern-server.js";
import { openClient } from "./open-client.js";

describe("a modern HTTP server", () => {
  test("is discovered, listed and called", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

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

  test("is asked for its description by a ping, as it has none", async () => {
    const fake = await startFake(serveModern());
    const client = openClient(fake.url);

    await client.ping();

    expect(fake.methods()).toEqual(["server/discover", "server/discover"]);
  });

  test("gets any request, with the caller's own metadata beside the envelope", async () => {
    const fake = await startFake(serveModern({ "example/method": (reply) => reply.result({ odd: true }) }));
    const client = openClient({ url: fake.url, capabilities: { roots: {} } });

    const meta = { traceparent: "00-1" };
    const result = await client.request("example/method", { a: 1, _meta: { "example/b": 2 } }, { meta });

    expect(result).toMatchObject({ odd: true });
    expect(fake.log.at(-1)?.message.params).toEqual({
      a: 1,
      _meta: {
        "example/b": 2,
        traceparent: "00-1",
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "mortise", version: manifest.version },
        "io.modelcontextprotocol/clientCapabilities": { roots: {} },
      },
    });
    expect(fake.log.at(-1)?.headers).toMatchObject({ "mcp-method": "example/method" });
  });
});

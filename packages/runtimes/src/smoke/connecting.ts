import { MCPClient } from "@mortise/client";
import { parseConfig } from "@mortise/client/config";
import type { Check, Targets } from "./check.js";
import { eventually, expectEqual, expectTrue, failureOf, withClient } from "./expect.js";

/** Opening, ending and failing to open connections. */
export const CONNECTING: readonly Check[] = [
  {
    name: "connects to a modern server",
    run: ({ modern }) => expectConnection(modern, { era: "modern", protocolVersion: "2026-07-28" }),
  },
  {
    name: "connects to a legacy server",
    run: ({ legacy }) => expectConnection(legacy, { era: "legacy", protocolVersion: "2025-11-25" }),
  },
  {
    name: "connects by HTTP+SSE of 2024-11-05",
    run: async ({ sse }) => {
      await withClient(sse, async (client) => {
        await client.connect();

        expectEqual(client.verdict?.transport, "sse");
      });
      await withClient({ url: sse, transport: "sse" }, async (client) => {
        const { text } = await client.callTool("greet", { name: "Ada" });

        expectEqual(text, '{"message":"Hello, Ada!"}');
      });
    },
  },
  {
    name: "keeps what it found out",
    run: async ({ legacy, log }) => {
      const prior = await withClient(legacy, async (client) => {
        await client.connect();
        return client.verdict;
      });
      const url = `${legacy}?run=prior`;

      await withClient({ url, prior }, (client) => client.connect());

      expectEqual((await readLog(log, "prior")).filter((method) => method === "POST").length, 3);
    },
  },
  {
    name: "ends a legacy session with DELETE",
    run: async ({ legacy, log }) => {
      const client = new MCPClient(`${legacy}?run=delete`);
      await client.connect();
      await client.close();

      await eventually(async () => (await readLog(log, "delete")).includes("DELETE"), "a DELETE");
    },
  },
  {
    name: "tells that nothing listens",
    run: async ({ closed }) => {
      const error = await withClient({ url: closed, probeTimeout: 2_000 }, (client) => failureOf(client.connect()));

      expectEqual(error.code, "connection_failed");
    },
  },
  {
    name: "calls no failure a matter of CORS outside of pages",
    run: async ({ closed }) => {
      if ("document" in globalThis || "importScripts" in globalThis) return;
      const error = await withClient({ url: closed, probeTimeout: 2_000 }, (client) => failureOf(client.connect()));

      expectTrue(!error.message.includes("CORS"), "no word of CORS");
    },
  },
  {
    name: "reads a configuration and calls its server",
    run: async ({ modern }) => {
      const text = `// a host's file
        { "servers": { "one": { "url": "\${MCP_URL}" }, "off": { "url": "https://example.com", "disabled": true } } }`;
      const clients = await MCPClient.fromConfig(parseConfig(text, { MCP_URL: modern }));
      const client = clients.get("one");
      if (client === undefined) throw new Error("Expected a client");
      const tool = await client.callTool("greet", { name: "Ada" });
      await client.close();

      expectEqual(tool.structuredContent, { message: "Hello, Ada!" });
    },
  },
  { name: "starts a server process, or says that it cannot", run: startProcess },
];

async function expectConnection(
  url: string,
  expected: { readonly era: string; readonly protocolVersion: string },
): Promise<void> {
  await withClient(url, async (client) => {
    const { era, protocolVersion, serverInfo } = await client.connect();

    expectEqual({ era, protocolVersion, name: serverInfo?.name }, { ...expected, name: "smoke" });
  });
}

async function startProcess({ program, processes }: Targets): Promise<void> {
  const [command, ...args] = program;
  await withClient({ command, args }, async (client) => {
    if (processes === "started") {
      const { text } = await client.callTool("greet", { name: "Ada" });

      expectEqual(text, '{"message":"Hello, Ada!"}');
      return;
    }
    const error = await failureOf(client.connect());

    if (processes === "none") expectEqual(error.code, "needs_node");
    else expectEqual(error.name, "NotCapable");
  });
}

async function readLog(log: string, run: string): Promise<string[]> {
  const response = await fetch(`${log}?run=${run}`);
  return (await response.json()) as string[]; // what the server of the tests writes there
}

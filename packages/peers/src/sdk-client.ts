import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type PeerClient, readResult, type Target } from "./peer-client.js";

/** Version 1 of the official SDK, which knows the legacy era only. */
export const sdkClient: PeerClient = {
  name: "official SDK 1 client",
  eras: ["legacy"],
  losesProgress: true,
  pings: ["legacy"],
  async connect(target) {
    const client = new Client({ name: "peer", version: "1.0.0" });
    let protocolVersion: string | undefined;
    const transport: Transport = createTransport(target);
    const setVersion = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (version) => {
      protocolVersion = version;
      setVersion?.(version);
    };
    await client.connect(transport);
    return {
      serverName: client.getServerVersion()?.name,
      protocolVersion,
      era: "legacy",
      listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
      async call(name, args, { onProgress, signal } = {}) {
        const result = await client.callTool({ name, arguments: args }, undefined, {
          ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }),
          ...(signal && { signal }),
        });
        return readResult(result as { content?: unknown }); // the other half of its union is a revision this client never agrees on
      },
      ping: async () => void (await client.ping()),
      close: () => client.close(),
    };
  },
};

function createTransport(target: Target): Transport {
  if ("url" in target) return new StreamableHTTPClientTransport(new URL(target.url)) as Transport; // its own types disagree under exactOptionalPropertyTypes
  const { command, args, env } = target;
  return new StdioClientTransport({ command, args: [...args], stderr: "ignore", ...(env && { env }) });
}

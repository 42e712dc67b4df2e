import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Era, type PeerClient, readResult, type Target } from "./peer-client.js";

/** `@modelcontextprotocol/client` in one of its negotiation modes. */
export function createOfficialClient(mode: VersionNegotiationMode): PeerClient {
  const label = typeof mode === "string" ? mode : "pinned";
  const eras: readonly Era[] = mode === "legacy" ? ["legacy"] : mode === "auto" ? ["modern", "legacy"] : ["modern"];
  return {
    name: `official client, ${label}`,
    eras,
    losesProgress: true,
    pings: ["legacy"],
    async connect(target) {
      // The default mode is tested as users get it: without the option.
      const options = mode === "legacy" ? {} : { versionNegotiation: { mode } };
      const client = new Client({ name: "peer", version: "1.0.0" }, options);
      await client.connect(createTransport(target));
      const era = client.getProtocolEra() ?? "legacy";
      return {
        serverName: client.getServerVersion()?.name,
        protocolVersion: client.getNegotiatedProtocolVersion(),
        era,
        listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
        async call(name, args, { onProgress, signal } = {}) {
          const result = await client.callTool(
            { name, arguments: args },
            { ...(onProgress && { onprogress: ({ progress }) => onProgress(progress) }), ...(signal && { signal }) },
          );
          return readResult(result);
        },
        ping: async () => void (await client.ping()),
        close: () => client.close(),
      };
    },
  };
}

function createTransport(target: Target): StdioClientTransport | StreamableHTTPClientTransport {
  if ("url" in target) return new StreamableHTTPClientTransport(new URL(target.url));
  const { command, args, env } = target;
  return new StdioClientTransport({ command, args: [...args], stderr: "ignore", ...(env && { env }) });
}

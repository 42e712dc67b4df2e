import { type EraChoice, MCPClient } from "@mortise/client";
import { type PeerClient, readResult } from "./peer-client.js";

/** Mortise's own client in one of its ways to choose an era. */
export function createMortiseClient(era: EraChoice): PeerClient {
  const mode = typeof era === "string" ? era : "pinned";
  return {
    name: `Mortise client, ${mode}`,
    eras: mode === "auto" ? ["modern", "legacy"] : mode === "legacy" ? ["legacy"] : ["modern"],
    losesProgress: false,
    pings: ["modern", "legacy"],
    async connect(target) {
      const client = new MCPClient({ ...target, era });
      const { protocolVersion, serverInfo } = await client.connect();
      return {
        serverName: serverInfo?.name,
        protocolVersion,
        era: protocolVersion >= "2026-07-28" ? "modern" : "legacy",
        listTools: async () => (await client.fetchTools()).map((tool) => tool.name),
        async call(name, args, { onProgress, signal } = {}) {
          const options = {
            ...(onProgress && { onProgress: ({ progress }: { progress: number }) => onProgress(progress) }),
            ...(signal && { signal }),
          };
          return readResult(await client.callTool(name, args, options));
        },
        ping: () => client.ping(),
        close: () => client.close(),
      };
    },
  };
}

/** Mortise's client in every way it chooses an era. */
export const MORTISE_CLIENTS: readonly PeerClient[] = [
  createMortiseClient("auto"),
  createMortiseClient("legacy"),
  createMortiseClient("modern"),
];

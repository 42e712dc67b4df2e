import { createOfficialClient } from "./official-client.js";
import type { PeerClient } from "./peer-client.js";
import { sdkClient } from "./sdk-client.js";

/** The clients of other implementations, in every way they choose an era. */
export const OTHER_CLIENTS: readonly PeerClient[] = [
  createOfficialClient("legacy"),
  createOfficialClient("auto"),
  createOfficialClient({ pin: "2026-07-28" }),
  sdkClient,
];

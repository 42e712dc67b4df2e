import { describePair } from "../src/behaviour-suite.js";
import { createOfficialClient } from "../src/official-client.js";
import { OTHER_SERVERS } from "../src/peer-server.js";
import { sdkClient } from "../src/sdk-client.js";

// The peers against each other: what they do without Mortise, so that a difference in the other suites is ours.
const CLIENTS = [createOfficialClient("auto"), sdkClient];

for (const client of CLIENTS) {
  for (const server of OTHER_SERVERS) describePair(client, server);
}

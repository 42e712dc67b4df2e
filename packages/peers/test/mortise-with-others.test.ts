import { describePair } from "../src/behaviour-suite.js";
import { createMortiseClient } from "../src/mortise-client.js";
import { MORTISE_SERVERS } from "../src/mortise-servers.js";
import { OTHER_SERVERS } from "../src/peer-server.js";

const CLIENTS = [createMortiseClient("auto"), createMortiseClient("legacy"), createMortiseClient("modern")];

for (const client of CLIENTS) {
  for (const server of [...OTHER_SERVERS, ...MORTISE_SERVERS]) describePair(client, server);
}

import { describePair } from "../src/behaviour-suite.js";
import { MORTISE_CLIENTS } from "../src/mortise-client.js";
import { MORTISE_SERVERS } from "../src/mortise-servers.js";
import { OTHER_SERVERS } from "../src/peer-server.js";

for (const client of MORTISE_CLIENTS) {
  for (const server of [...OTHER_SERVERS, ...MORTISE_SERVERS]) describePair(client, server);
}

import { describePair } from "../src/behaviour-suite.js";
import { MORTISE_SERVERS } from "../src/mortise-servers.js";
import { OTHER_CLIENTS } from "../src/other-clients.js";

for (const client of OTHER_CLIENTS) {
  for (const server of MORTISE_SERVERS) describePair(client, server);
}

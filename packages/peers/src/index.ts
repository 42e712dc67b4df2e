export { buildFixtures, INSPECTOR_FIXTURES } from "./build-fixtures.js";
export { MORTISE_SERVERS } from "./mortise-servers.js";
export type { Era, Target } from "./peer-client.js";
export { OTHER_SERVERS, type PeerServer, type RunningServer, startServer } from "./peer-server.js";

export type { Environment } from "./child-environment.js";
export { type ServerProcess, type SpawnServerOptions, spawnServer } from "./spawn-server.js";
export type { StderrTarget } from "./stderr-tail.js";

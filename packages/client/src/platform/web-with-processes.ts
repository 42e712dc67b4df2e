import { explainErrorCode } from "./error-codes.js";
import type { Platform } from "./platform.js";
import { platform as web } from "./web.js";

/**
 * Bun and Deno: their own `fetch`, and child processes, which are started through Node's modules. Their `node:http` is left alone: in
 * Deno a request that is given up on a connection used before keeps the program from ending.
 */
export const platform: Platform = {
  ...web,
  explain: explainErrorCode,
  async createProcess(command) {
    const { spawnServer } = await import("@mortise/stdio/client");
    return spawnServer(command);
  },
};

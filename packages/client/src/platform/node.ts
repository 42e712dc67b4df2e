import { isAscii, isUtf8 } from "node:buffer";
import { explainErrorCode } from "./error-codes.js";
import { createNodeHttpLayer } from "./node-http.js";
import type { Platform } from "./platform.js";

/** Node: kept-alive connections, child processes, debug output on stderr. */
export const platform: Platform = {
  createHttpLayer: createNodeHttpLayer,
  async createFetchLayer(given) {
    const { createFetchLayer } = await import("./fetch-layer.js");
    return createFetchLayer(given);
  },
  async createProcess(command) {
    const { spawnServer } = await import("@mortise/stdio/client");
    return spawnServer(command);
  },
  decode(chunks) {
    const first = chunks[0];
    const bytes =
      chunks.length === 1 && first !== undefined
        ? Buffer.from(first.buffer, first.byteOffset, first.byteLength)
        : Buffer.concat(chunks);
    if (isAscii(bytes)) return bytes.toString("latin1");
    return isUtf8(bytes) ? bytes.toString("utf8") : undefined;
  },
  explain: explainErrorCode,
  log(line) {
    process.stderr.write(`${line}\n`);
  },
};

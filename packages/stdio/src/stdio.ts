import type { ServerTransport } from "@mortise/server/transport";
import { attachStreams } from "./attach-streams.js";
import type { StdioInfo, StdioOptions } from "./stdio-options.js";

/**
 * Serves over newline-framed JSON on the process's standard streams, or on any two Node streams, both protocol eras on the same
 * pipe: `await server.listen(stdio())`.
 *
 * The end of the input ends the transport, and with the standard streams the process. So does a client that stops reading: its
 * calls are aborted at once. `server.close()` only lets go of the streams: it removes its listeners and pauses the input.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function stdio(options: StdioOptions = {}): ServerTransport<StdioInfo> {
  return {
    start: (server) => Promise.resolve(attachStreams(server, options)),
  };
}

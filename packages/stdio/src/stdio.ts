import { isObject } from "@mortise/core";
import type { ServerTransport } from "@mortise/server/transport";
import { attachStreams } from "./attach-streams.js";
import { expectByteLimit, expectChoice, expectOption, expectOptions, expectTime } from "./check-options.js";
import type { StdioInfo, StdioOptions } from "./stdio-options.js";

/**
 * Serves over newline-framed JSON on the process's standard streams, or on any two Node streams, both protocol eras on the same
 * pipe: `await server.listen(stdio())`.
 *
 * The end of the input ends the transport, and with the standard streams the process. So does a client that stops reading: its
 * calls are aborted at once. `server.close()` only lets go of the streams: it removes its listeners and pauses the input.
 *
 * Throws `invalid_options` that names the option.
 *
 * Follows https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio
 */
export function stdio(options: StdioOptions = {}): ServerTransport<StdioInfo> {
  checkOptions(options);
  return {
    start: (server) => Promise.resolve(attachStreams(server, options)),
  };
}

function checkOptions(options: StdioOptions): void {
  expectOptions(options, "the options of stdio()");
  const { input, output, maxMessageBytes, onOversize, onEof, drainTimeout, guardStdout, exitOnEof, onError } = options;
  expectOption("input", input, "a readable stream", (stream) => isObject(stream) && typeof stream.pause === "function");
  expectOption(
    "output",
    output,
    "a writable stream",
    (stream) => isObject(stream) && typeof stream.write === "function",
  );
  expectByteLimit("maxMessageBytes", maxMessageBytes);
  expectChoice("onOversize", onOversize, ["end", "skip"]);
  expectChoice("onEof", onEof, ["drain", "abort"]);
  expectTime("drainTimeout", drainTimeout);
  expectChoice("guardStdout", guardStdout, [true, false]);
  expectChoice("exitOnEof", exitOnEof, [true, false]);
  expectOption("onError", onError, "a function", (hook) => typeof hook === "function");
}

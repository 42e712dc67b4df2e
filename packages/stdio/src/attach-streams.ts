import { createLineReader, type LineReader, LONGEST_DELAY, MortiseError } from "@mortise/core";
import type { MCPServer } from "@mortise/server";
import type { Attachment, PipeConnection } from "@mortise/server/transport";
import { endProcess } from "./end-process.js";
import { createLineWriter } from "./line-writer.js";
import type { StdioInfo, StdioOptions } from "./stdio-options.js";
import { guardStdout } from "./stdout-guard.js";

const DEFAULT_MAX_MESSAGE_BYTES = 1024 * 1024;
const DEFAULT_DRAIN_TIMEOUT = 5_000;

/** Why a transport ends: its input did, a message was too long, nobody reads the answers any more, or the server was closed. */
type EndReason = "eof" | "oversize" | "gone" | "closed";

/** Puts a server on two streams and starts reading. */
export function attachStreams(server: MCPServer, options: StdioOptions): Attachment<StdioInfo> {
  const { input = process.stdin, output = process.stdout } = options;
  const drainTimeout = Math.min(options.drainTimeout ?? DEFAULT_DRAIN_TIMEOUT, LONGEST_DELAY);
  const onError = options.onError ?? report;
  const endsProcess = input === process.stdin && options.exitOnEof !== false;
  const streams = protectStreams(options);
  let ending: Promise<void> | undefined;
  let settle = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });

  const writer = createLineWriter({
    output,
    send: streams.send,
    onRoom() {
      if (ending === undefined && input.isPaused()) input.resume();
    },
    onFailure(error) {
      if (error !== undefined && !isGone(error))
        onError(new MortiseError("closed", "The output failed", { cause: error }));
      connection.close();
      end("gone", 0);
    },
  });
  const connection = server.connectPipe({
    transport: "stdio",
    write: writer.write,
    get backlog() {
      return writer.backlog;
    },
  });
  const reader = createMessageReader(connection, options, onError, () => end("oversize", drainTimeout));

  const onData = (chunk: Uint8Array | string): void => {
    // Looked at before reading on, not after writing: a pipe that took everything says so only a tick later.
    if (writer.behind) input.pause();
    writer.hold();
    try {
      reader.feed(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    } finally {
      writer.flush();
    }
  };
  const onEnd = (): void => {
    reader.end();
    onCut();
  };
  const onCut = (): void => end("eof", options.onEof === "abort" ? 0 : drainTimeout);
  const onInputError = (error: Error): void => {
    if (!isGone(error)) onError(new MortiseError("closed", "The input failed", { cause: error }));
    onCut();
  };
  input.on("data", onData).on("end", onEnd).on("close", onCut).on("error", onInputError);
  // A stream that has ended says so only once.
  if (input.readableEnded || input.destroyed) onCut();

  function end(reason: EndReason, drain: number): void {
    ending ??= finish(reason, drain);
  }

  async function finish(reason: EndReason, drain: number): Promise<void> {
    input.off("data", onData).off("end", onEnd).off("close", onCut).off("error", onInputError);
    input.pause();
    await connection.finish({ drain });
    await writer.drained(drainTimeout);
    const leaving = endsProcess && reason !== "closed";
    // A process that is about to end keeps its streams guarded to its last moment.
    if (!leaving) {
      writer.release();
      streams.release();
    }
    settle();
    if (leaving) endProcess(reason === "oversize" ? 1 : 0);
  }

  return {
    info: { transport: "stdio" },
    closed,
    async close({ drain }) {
      // Already on the way, for another reason: then only less patience can be asked for.
      const hurry =
        ending === undefined ? undefined : setTimeout(() => connection.close(), Math.min(drain, LONGEST_DELAY));
      end("closed", drain);
      await closed;
      clearTimeout(hurry);
    },
  };
}

/** Turns bytes into messages for the connection, and everything that is none into a refusal. */
function createMessageReader(
  connection: PipeConnection,
  options: StdioOptions,
  onError: (error: MortiseError) => void,
  onTooLong: () => void,
): LineReader {
  const { maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, onOversize = "end" } = options;
  let stopped = false;

  return createLineReader({
    maxBytes: maxMessageBytes,
    onLine(text) {
      if (stopped) return;
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch (cause) {
        connection.malformed("parse");
        onError(new MortiseError("parse_error", "A message is not JSON", { cause }));
        return;
      }
      connection.receive(message);
    },
    onInvalid() {
      if (stopped) return;
      connection.malformed("utf8");
      onError(new MortiseError("parse_error", "A message is not UTF-8"));
    },
    onOversize() {
      if (stopped) return;
      connection.malformed("oversize");
      stopped = onOversize === "end";
      const consequence = stopped ? "the connection ends" : "it is skipped";
      const problem = `A message is longer than "maxMessageBytes" (${maxMessageBytes}): ${consequence}`;
      onError(new MortiseError("body_too_large", problem));
      if (stopped) onTooLong();
    },
  });
}

interface ProtectedStreams {
  /** How the protocol reaches its output, where that is not simply the stream's own `write`. */
  readonly send: typeof process.stdout.write | undefined;
  release(): void;
}

function protectStreams({
  input = process.stdin,
  output = process.stdout,
  ...options
}: StdioOptions): ProtectedStreams {
  const guard = output === process.stdout && options.guardStdout !== false ? guardStdout() : undefined;
  const standard = input === process.stdin;
  // Once the parent is gone stderr is broken too; a handler that logs must not crash the process while it ends.
  if (standard) process.stderr.on("error", ignoreFailure);
  return {
    send: guard?.send,
    release() {
      guard?.restore();
      if (standard) process.stderr.off("error", ignoreFailure);
    },
  };
}

function ignoreFailure(): void {
  // Nobody is left to be told.
}

/** Tells whether an error only says that the other side has left. */
function isGone(error: Error): boolean {
  return (
    "code" in error && (error.code === "EPIPE" || error.code === "ECONNRESET" || error.code === "ERR_STREAM_DESTROYED")
  );
}

function report(error: MortiseError): void {
  process.stderr.write(`[mortise] ${error.message}\n`);
}

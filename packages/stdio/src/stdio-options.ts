import type { Readable, Writable } from "node:stream";
import type { MortiseError } from "@mortise/core";

/** How a server is served over a pair of streams. */
export interface StdioOptions {
  /** Where messages come from. @default process.stdin */
  readonly input?: Readable | undefined;
  /** Where answers go. @default process.stdout */
  readonly output?: Writable | undefined;
  /** Longest message accepted, in bytes, its line end excluded. @default 1_048_576 */
  readonly maxMessageBytes?: number | undefined;
  /** What a longer message does: end the transport, or get refused while the connection goes on. @default "end" */
  readonly onOversize?: "end" | "skip" | undefined;
  /** What happens to calls under way when the input ends: they are finished and answered, or aborted. @default "drain" */
  readonly onEof?: "drain" | "abort" | undefined;
  /**
   * How long calls under way may take after the input has ended, and how long a reader of the answers may stand still before it
   * is given up, in milliseconds. @default 5_000
   */
  readonly drainTimeout?: number | undefined;
  /**
   * Keeps `console.log` and other writes to `process.stdout` out of the protocol by sending them to stderr, as long as the
   * transport is open. Counts only while `process.stdout` is the output. @default true
   */
  readonly guardStdout?: boolean | undefined;
  /**
   * Ends the process after its standard streams have ended and every answer has been delivered, even if timers or listeners would
   * keep it alive: nobody could speak to it any more. Counts only while `process.stdin` is the input. The exit code is 0 when the
   * client left, 1 when the transport gave up; a `process.exitCode` that is already set stays. @default true
   */
  readonly exitOnEof?: boolean | undefined;
  /** Receives what is wrong with the input or the streams. @default one line on stderr for each */
  readonly onError?: ((error: MortiseError) => void) | undefined;
}

/** What `server.listen(stdio())` resolves to. */
export interface StdioInfo {
  readonly transport: "stdio";
}

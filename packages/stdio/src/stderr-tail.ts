import type { Readable } from "node:stream";

/** How much of what the process said last is kept, in bytes. */
const TAIL_BYTES = 8 * 1024;
/** When this much waits for our own stderr, more is dropped: a blocked terminal must not block the process. */
const MAX_WAITING = 1024 * 1024;

/** Where the process's stderr goes besides the tail that is kept. */
export type StderrTarget = "keep" | "inherit" | ((text: string) => void);

/** What a process said last. */
export interface StderrTail {
  /** The last 8 KiB as text, without surrounding white space. */
  read(): string;
}

/** Reads a process's stderr for as long as it lives, so that it can never block on it. */
export function drainStderr(stderr: Readable, target: StderrTarget): StderrTail {
  const decoder = new TextDecoder();
  let tail: Uint8Array = new Uint8Array(0);
  stderr.on("data", (chunk: Buffer) => {
    tail =
      chunk.length >= TAIL_BYTES ? chunk.subarray(-TAIL_BYTES) : Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
    if (target === "inherit") passOn(chunk);
    else if (target !== "keep") target(decoder.decode(chunk, { stream: true }));
  });
  stderr.on("error", ignoreFailure);
  return { read: () => new TextDecoder().decode(tail).trim() };
}

function passOn(chunk: Buffer): void {
  if (process.stderr.writableLength < MAX_WAITING) process.stderr.write(chunk);
}

function ignoreFailure(): void {
  // A pipe that can no longer be read ends; what the process does next shows in its exit.
}

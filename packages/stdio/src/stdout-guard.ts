/** Keeps everything but the protocol off stdout. */
export interface StdoutGuard {
  /** The way to stdout that is left for the protocol. */
  readonly send: typeof process.stdout.write;
  /** Gives stdout back. */
  restore(): void;
}

/**
 * Sends what others write to `process.stdout`, which includes `console.log`, `info` and `debug`, to stderr instead, where it can
 * do no harm to the messages. What goes round the stream (`fs.writeSync(1, …)`, a child process that inherits stdout) is not caught.
 */
export function guardStdout(): StdoutGuard {
  const { stdout, stderr } = process;
  const own = Object.getOwnPropertyDescriptor(stdout, "write");
  const send = stdout.write;
  const divert = stderr.write.bind(stderr);
  stdout.write = divert;
  return {
    send,
    restore() {
      // Whoever replaced it after us has a reason to, and calls what we left there.
      if (stdout.write !== divert) return;
      if (own === undefined) Reflect.deleteProperty(stdout, "write");
      else Object.defineProperty(stdout, "write", own);
    },
  };
}

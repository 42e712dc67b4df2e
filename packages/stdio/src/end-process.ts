/** What the program may still do after its streams have ended: close files, flush logs. Clients wait about 2 s before they use force. */
const GRACE_MS = 500;

/**
 * Lets the process end. It does so by itself when nothing keeps it alive; if something does, such as a timer or a listener, it is
 * ended after a short grace. The exit code counts only where the program has set none.
 */
export function endProcess(exitCode: number): void {
  process.exitCode ??= exitCode;
  setTimeout(() => process.exit(), GRACE_MS).unref();
}

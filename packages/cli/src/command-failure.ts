/** What the command ends with. */
export const EXIT = {
  /** It did what was asked; a server ended with its client, or was told to. */
  ok: 0,
  /** It could not, for a reason outside of the command line. */
  failed: 1,
  /** The command line, or a variable that stands for a part of it, is wrong. */
  usage: 2,
} as const;

/** Ends the command with one line for the person who called it. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.failed, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

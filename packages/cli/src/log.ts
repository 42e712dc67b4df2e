/** How much is told, from nothing to everything. */
export const LEVELS = ["silent", "error", "warn", "info", "debug"] as const;

/** One of `LEVELS`. */
export type Level = (typeof LEVELS)[number];

/** Tells the person behind a server what happens, a line at a time. */
export interface Log {
  error(line: string): void;
  warn(line: string): void;
  info(line: string): void;
  debug(line: string): void;
  /** Keeps a value out of every line from now on. */
  hide(secret: string | undefined): void;
}

/** Shorter ones would turn up by chance, and hide what they are not. */
const SHORTEST_SECRET = 6;

/** Makes a log of what is at least as important as `level`. */
export function createLog(level: Level, write: (text: string) => void = writeToStderr): Log {
  const secrets = new Set<string>();
  const tell = (of: Level) => (line: string) => {
    if (LEVELS.indexOf(of) > LEVELS.indexOf(level)) return;
    let text = line;
    for (const secret of secrets) text = text.replaceAll(secret, "[hidden]");
    write(`[mortise] ${text}\n`);
  };
  return {
    error: tell("error"),
    warn: tell("warn"),
    info: tell("info"),
    debug: tell("debug"),
    hide(secret) {
      if (secret !== undefined && secret.length >= SHORTEST_SECRET) secrets.add(secret);
    },
  };
}

function writeToStderr(text: string): void {
  process.stderr.write(text);
}

import { MCPTimeoutError, MortiseError } from "@mortise/client";
import type { Environment } from "../environment.js";
import { type Finding, failed } from "./finding.js";

/** What is known of a server process that could not be used. */
export interface ProcessAttempt {
  readonly command: string;
  readonly args: readonly string[];
  /** The variables it was given. */
  readonly env: Environment;
  /** What it wrote to stderr last. */
  readonly stderr: string;
  /** Lines of its stdout that are no messages. */
  readonly noise: readonly string[];
}

const MAX_LINES = 8;
const MAX_CHARS = 300;
/** Shorter ones would turn up by chance, and hide what they are not. */
const SHORTEST_SECRET = 6;
/** Names of variables that a program may miss. */
const VARIABLE = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|URL|URI|ID|MODEL|HOST|DSN|PATH|DIR)\b/g;

/** Says that a server writes to stdout what is no message. */
export function explainNoise(noise: readonly string[]): Finding {
  return failed(
    "It writes lines to standard output that are no messages, which assistants take for a broken server",
    "Write logs to standard error, such as with console.error in place of console.log.",
    noise.map(cut),
  );
}

/** Says what kept a server process from being used, and what to do about it. Values of its variables are left out. */
export function explainProcessFailure(error: unknown, attempt: ProcessAttempt): Finding {
  const details = readLines(attempt);
  if (error instanceof MCPTimeoutError) {
    const seconds = Math.round(error.timeoutMs / 1_000);
    const hint = /\bnpx|uvx|docker\b/.test(attempt.command)
      ? 'It may still be downloading: try again, or raise "--timeout".'
      : "Is it a server on standard input and output? Some need an argument for that.";
    return failed(`It did not answer within ${seconds} s`, hint, details);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof MortiseError)) return failed(`It answered with an error: ${message}`, undefined, details);
  if (error.code === "connection_failed") return failed(message, explainStart(attempt), details);
  if (error.code === "connection_closed")
    return failed(`It ended before it answered${readEnd(message)}`, explainEnd(attempt), details);
  return failed(message, undefined, details);
}

function explainStart({ command, args }: ProcessAttempt): string {
  if (args.length === 0 && /\s/.test(command))
    return "Give the arguments as words of their own, without quotes around all.";
  if (/^(?:npx|node|npm)$/.test(command)) return "Install Node, or give the full path of the command.";
  if (/^uvx?$/.test(command)) return "Install uv, or give the full path of the command.";
  return "Install it, correct its name, or give its full path. Assistants often search fewer folders than a terminal.";
}

function explainEnd({ stderr, env, noise }: ProcessAttempt): string {
  const missing = [...new Set(stderr.match(VARIABLE) ?? [])].filter((name) => env[name] === undefined);
  if (missing.length > 0) {
    const flags = missing.map((name) => `--env ${name}`).join(" ");
    return `It may need ${missing.join(", ")}: try ${flags} before "--", and name it in the entry of the assistant.`;
  }
  if (/\bE404\b|404 Not Found/.test(stderr)) return "There is no package of that name: correct it.";
  if (/Cannot find module|ERR_MODULE_NOT_FOUND|ModuleNotFoundError/.test(stderr))
    return "A file or package of the server is missing: build or install it, and check the path.";
  if (/could not determine executable/i.test(stderr)) return "The package has no command of its own: name the command.";
  if (stderr === "" && noise.length === 0)
    return "It said nothing. Is it a server on standard input and output? Some need an argument for that.";
  return "Run the command in a terminal, and see what it says.";
}

/** How it ended, as the client says it: the code, or the signal. */
function readEnd(message: string): string {
  return /\((?:code|signal) \w+\)$/.exec(message)?.[0].replace("(", " (") ?? `: ${message}`;
}

function readLines({ stderr, env }: ProcessAttempt): string[] {
  let text = stderr;
  for (const value of Object.values(env)) {
    if (value !== undefined && value.length >= SHORTEST_SECRET) text = text.replaceAll(value, "[hidden]");
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.slice(-MAX_LINES).map(cut);
}

function cut(line: string): string {
  return line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line;
}

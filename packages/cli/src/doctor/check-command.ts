import { MCPClient, MortiseError } from "@mortise/client";
import { classifyMessage, type PipeTransport } from "@mortise/core";
import { type ServerProcess, spawnServer } from "@mortise/stdio/client";
import {
  type Connected,
  connect,
  describeServer,
  type ServerCheck,
  type ServerCheckOptions,
} from "./describe-server.js";
import { explainNoise, explainProcessFailure } from "./explain-process.js";
import { type Finding, warning } from "./finding.js";
import type { Target } from "./target.js";

type Command = Extract<Target, { kind: "process" }>;

/** How long a process may take to end once its input has ended. */
const LEAVE_MS = 2_000;
/** How long silence is waited out before the server is taken for legacy. */
const PROBE_MS = 5_000;
const MAX_LINES = 5;

/** Starts a server, checks it, and ends it. */
export async function checkCommand(target: Command, options: ServerCheckOptions): Promise<ServerCheck> {
  const noise: string[] = [];
  const problems: string[] = [];
  const attempt = { target, options, noise, problems };
  const opened = await open(attempt);
  if (!("connected" in opened)) {
    const finding = explainProcessFailure(opened.error, { ...opened, ...target.command, noise });
    return { findings: [...describeNoise(noise), finding], report: undefined };
  }
  const { client, ...connected } = opened;
  const check = await describeServer(client, { ...connected, transport: "stdio" });
  const leaving = await leave(client);
  const others = problems.map((problem) => warning(problem));
  return { findings: [...describeNoise(noise), ...check.findings, ...others, ...leaving], report: check.report };
}

interface Attempt {
  readonly target: Command;
  readonly options: ServerCheckOptions;
  /** Lines of stdout that are no messages. */
  readonly noise: string[];
  readonly problems: string[];
}

type Opened = (Connected & { readonly client: MCPClient }) | { readonly error: unknown; readonly stderr: string };

/** Connects; once more with the older opening where the process ended, since some end at a message they do not know. */
async function open(attempt: Attempt): Promise<Opened> {
  const first = await start(attempt, "auto");
  if ("connected" in first || !isClosed(first.error)) return first;
  attempt.noise.length = 0;
  const second = await start(attempt, "legacy");
  return "connected" in second ? second : first;
}

async function start({ target, options, noise, problems }: Attempt, era: "auto" | "legacy"): Promise<Opened> {
  const server = spawnServer({ ...target.command, closeTimeout: LEAVE_MS });
  const client = new MCPClient({
    transport: listenIn(server, noise),
    era,
    timeout: options.timeoutMs,
    probeTimeout: Math.min(PROBE_MS, options.timeoutMs),
    clientInfo: { name: "mortise-doctor", version: options.version },
    onError: ({ message }) => problems.push(message),
  });
  try {
    return { client, ...(await connect(client)) };
  } catch (error) {
    await client.close();
    return { error, stderr: server.stderrTail };
  }
}

/** Passes everything on but lines that are no messages, which are kept. */
function listenIn(server: ServerProcess, noise: string[]): PipeTransport {
  const hear = (line: string): void => void (noise.length < MAX_LINES && noise.push(line));
  return {
    start: (events) =>
      server.start({
        ...events,
        onMessage(message) {
          const entries: readonly unknown[] = Array.isArray(message) ? message : [message];
          if (entries.every((entry) => classifyMessage(entry) === "invalid")) hear(JSON.stringify(message));
          else events.onMessage(message);
        },
        onError(error) {
          const isLine = error instanceof MortiseError && error.code === "parse_error";
          if (isLine) hear(readLine(error));
          else events.onError(error);
        },
      }),
    send: (message) => server.send(message),
    close: () => server.close(),
  };
}

/** The line that an error is about, which its cause quotes below a line of its own. */
function readLine({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message.slice(cause.message.indexOf("\n") + 1) : message;
}

/** Ends the server, and says whether it went by itself. */
async function leave(client: MCPClient): Promise<Finding[]> {
  const startedAt = performance.now();
  await client.close();
  if (performance.now() - startedAt < LEAVE_MS) return [];
  const text = `It goes on after its input has ended, and had to be stopped after ${LEAVE_MS / 1_000} s`;
  return [warning(text, "Let it end with its standard input, or assistants leave it behind.")];
}

function describeNoise(noise: readonly string[]): Finding[] {
  return noise.length === 0 ? [] : [explainNoise(noise)];
}

function isClosed(error: unknown): boolean {
  return error instanceof MortiseError && error.code === "connection_closed";
}

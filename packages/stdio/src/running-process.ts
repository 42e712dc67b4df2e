import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { createLineReader, type JsonRpcMessage, LONGEST_DELAY, MortiseError, type PipeEvents } from "@mortise/core";
import { createLineWriter } from "./line-writer.js";
import { adoptGroup, type ProcessGroup } from "./process-group.js";
import { drainStderr, type StderrTarget } from "./stderr-tail.js";

/** The longest answer accepted by default. A limit is needed because a line without an end would fill the memory. */
const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const DEFAULT_CLOSE_TIMEOUT = 2_000;
/** How long output that is still in the pipe may take to arrive after the process has exited, and an exit after a closed pipe. */
const LAST_WORDS_MS = 500;
/** How long what the process left behind gets between SIGTERM and SIGKILL. */
const LEFTOVER_MS = 500;
/** How much of a line that is no message is quoted. */
const QUOTE_CHARS = 200;

/** What is expected of a running process. */
export interface RunOptions {
  readonly command: string;
  readonly stderr?: StderrTarget | undefined;
  readonly maxMessageBytes?: number | undefined;
  readonly onOversize?: "end" | "skip" | undefined;
  readonly closeTimeout?: number | undefined;
}

/** A server process that messages go to and come from. */
export interface RunningProcess {
  readonly pid: number | undefined;
  readonly stderrTail: string;
  send(message: JsonRpcMessage): void | Promise<void>;
  close(): Promise<void>;
}

/** Speaks with a process that has just started, and tells `events` what comes of it. */
export function runProcess(
  child: ChildProcessWithoutNullStreams,
  options: RunOptions,
  events: PipeEvents,
  platform: NodeJS.Platform,
): RunningProcess {
  const name = `MCP server process '${options.command}'`;
  const stderr = drainStderr(child.stderr, options.stderr ?? "keep");
  const group = adoptGroup(child, child.pid ?? 0, platform);
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const silent = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const writer = createLineWriter({ output: child.stdin, onFailure: () => void onPipeClosed("input") });
  let ending: Promise<void> | undefined;
  let told = false;

  // After the end was told nothing more is: a process that takes its time to go may still write.
  const report = (error: Error): void => void (told || events.onError(error));
  const listener: MessageListener = {
    onMessage: (message) => void (told || events.onMessage(message)),
    onError: report,
    onOversize: (error) => void (options.onOversize === "skip" ? report(error) : end(error)),
    onEnd: () => void onPipeClosed("output"),
  };
  child.on("error", report); // a signal that could not be sent
  readMessages(child, name, options.maxMessageBytes ?? DEFAULT_MAX_MESSAGE_BYTES, listener);
  void onExit();

  async function onExit(): Promise<void> {
    await exited;
    await atMost(LAST_WORDS_MS, silent);
    const how = child.exitCode === null ? `signal ${child.signalCode}` : `code ${child.exitCode}`;
    const tail = stderr.read();
    const cause = tail === "" ? undefined : { cause: new Error(`Its stderr ended with:\n${tail}`) };
    await end(new MortiseError("connection_closed", `${name} exited (${how})`, cause));
  }

  /** A pipe that closes is mostly the first sign of an exit, and the exit says more. */
  async function onPipeClosed(which: "input" | "output"): Promise<void> {
    if (await atMost(LAST_WORDS_MS, exited)) return;
    await end(new MortiseError("connection_closed", `${name} closed its ${which}`));
  }

  function end(error?: Error): Promise<void> {
    ending ??= finish(error);
    return ending;
  }

  async function finish(error: Error | undefined): Promise<void> {
    // An end that nobody asked for is told at once: callers must not wait for a process that takes its time to go.
    if (error !== undefined) tell(error);
    writer.flush();
    child.stdin.end();
    await stopGroup(group, exited, options.closeTimeout ?? DEFAULT_CLOSE_TIMEOUT);
    // What left the group may still hold the pipes, which must not keep this process alive.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    tell(undefined);
  }

  function tell(error: Error | undefined): void {
    if (told) return;
    told = true;
    events.onClose(error);
  }

  return {
    pid: child.pid,
    get stderrTail() {
      return stderr.read();
    },
    send(message) {
      if (ending !== undefined) throw new MortiseError("connection_closed", `${name} is closed`);
      return writer.write(JSON.stringify(message));
    },
    close: () => end(),
  };
}

interface MessageListener {
  onMessage(message: unknown): void;
  onError(error: Error): void;
  onOversize(error: Error): void;
  onEnd(): void;
}

function readMessages(
  { stdout }: ChildProcessWithoutNullStreams,
  name: string,
  maxBytes: number,
  listener: MessageListener,
): void {
  const reader = createLineReader({
    maxBytes,
    onLine(text) {
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch {
        // The line tells more than what the parser says of it.
        const cause = new Error(`It begins with:\n${text.slice(0, QUOTE_CHARS)}`);
        listener.onError(new MortiseError("parse_error", `${name} wrote a line that is not JSON`, { cause }));
        return;
      }
      listener.onMessage(message);
    },
    onInvalid: () => listener.onError(new MortiseError("parse_error", `${name} wrote a line that is not UTF-8`)),
    onOversize() {
      const problem = `${name} wrote a message longer than "maxMessageBytes" (${maxBytes})`;
      listener.onOversize(new MortiseError("response_too_large", problem));
    },
  });
  stdout.on("data", (chunk: Buffer) => reader.feed(chunk));
  stdout.on("end", () => {
    reader.end();
    listener.onEnd();
  });
  stdout.on("error", listener.onEnd);
}

/** Waits for the process to leave by itself, then makes it, and lets nothing that it started stay behind. */
async function stopGroup(group: ProcessGroup, exited: Promise<void>, patience: number): Promise<void> {
  if (!(await atMost(patience, exited))) {
    group.signal("SIGTERM");
    if (!(await atMost(patience, exited))) {
      group.signal("SIGKILL");
      await atMost(patience, exited);
    }
  }
  // The leader is gone, but a wrapper such as npx may have left the real server behind.
  if (!(await group.gone(0))) {
    group.signal("SIGTERM");
    if (!(await group.gone(LEFTOVER_MS))) group.signal("SIGKILL");
  }
  group.forget();
}

/** Waits for a promise, but not longer than `ms`. Resolves whether it came in time. */
async function atMost(ms: number, promise: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.min(ms, LONGEST_DELAY));
  });
  const inTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return inTime;
}

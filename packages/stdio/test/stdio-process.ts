import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, inject } from "vitest";

/** One message as a test sees it. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server on real pipes: raw lines in, raw lines out. */
export interface StdioProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything it wrote to stdout, line by line. */
  readonly lines: string[];
  stderr(): string;
  /** Writes text or bytes as they are. */
  write(data: string | Uint8Array): void;
  /** Writes messages, one a line, in one go. */
  send(...messages: readonly unknown[]): void;
  /** Resolves with the first message that passes, already there or still to come. */
  find(test: (message: Message) => boolean): Promise<Message>;
  /** Sends a request and resolves with its answer. */
  ask(request: { readonly id: unknown }): Promise<Message>;
  /** Every message so far; throws when a line is no message. */
  messages(): Message[];
  readonly exit: Promise<Exit>;
}

const open: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of open.splice(0)) child.kill("SIGKILL");
});

/** Starts the fixture server, or another program of the test folder; it is killed after the test if it still runs. */
export function startServer(options: Record<string, unknown> = {}): StdioProcess {
  return observe(spawn(process.execPath, [join(inject("programs"), "server.mjs"), JSON.stringify(options)]));
}

/** Watches a process that serves on its standard streams. */
export function observe(child: ChildProcessWithoutNullStreams): StdioProcess {
  open.push(child);
  const lines: string[] = [];
  const errors: string[] = [];
  const watchers = new Set<() => void>();
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    for (const look of watchers) look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => void errors.push(text));
  child.stdin.on("error", () => undefined);
  child.once("close", () => {
    for (const look of watchers) look();
  });

  const find = (test: (message: Message) => boolean): Promise<Message> =>
    new Promise((resolve, reject) => {
      let seen = 0;
      const look = (): void => {
        for (; seen < lines.length; seen += 1) {
          const message = parse(lines[seen] ?? "");
          if (!test(message)) continue;
          stop(() => resolve(message));
          return;
        }
        if (child.exitCode !== null && child.stdout.readableEnded) {
          stop(() => reject(new Error(`The process ended without the message: ${errors.join("")}`)));
        }
      };
      const stop = (settle: () => void): void => {
        watchers.delete(look);
        settle();
      };
      watchers.add(look);
      look();
    });
  const send = (...messages: readonly unknown[]): void => {
    child.stdin.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
  };

  return {
    child,
    lines,
    stderr: () => errors.join(""),
    write: (data) => void child.stdin.write(data),
    send,
    find,
    ask(request) {
      send(request);
      return find((message) => message.id === request.id && message.method === undefined);
    },
    messages: () => lines.map(parse),
    exit: new Promise((resolve) => child.once("close", (code, signal) => resolve({ code, signal }))),
  };
}

function parse(line: string): Message {
  return JSON.parse(line) as Message; // a test that reads a member which is not there fails
}

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the modern era. */
export function modern(
  id: unknown,
  method: string,
  params: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
) {
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: { ...META, ...meta } } };
}

/** A modern call of a tool. */
export function call(
  id: unknown,
  name: string,
  args: Record<string, unknown> = {},
  meta: Record<string, unknown> = {},
) {
  return modern(id, "tools/call", { name, arguments: args }, meta);
}

/** A request without an envelope, as legacy clients send it. */
export function legacy(id: unknown, method: string, params: Record<string, unknown> = {}) {
  return { jsonrpc: "2.0", id, method, params };
}

/** The opening of a legacy client. */
export function initialize(id: unknown, protocolVersion = "2025-11-25") {
  return legacy(id, "initialize", { protocolVersion, capabilities: {}, clientInfo: { name: "probe", version: "1" } });
}

/** The text of a tool's result. */
export function textOf({ result }: Message): unknown {
  const content = result?.content;
  return Array.isArray(content) ? content[0]?.text : undefined;
}

/** Waits for as long as it takes to be sure that nothing comes. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

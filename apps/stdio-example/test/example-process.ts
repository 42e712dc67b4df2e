import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

const SERVER = fileURLToPath(new URL("../dist/server.js", import.meta.url));
const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "probe", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** One message as a test sees it. */
export interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

/** The built example in a process of its own, spoken to in one era. */
export interface Example {
  readonly messages: readonly Message[];
  /** Writes a line as it is. */
  write(line: string): void;
  /** Sends a request without waiting; returns its id. */
  send(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>): number;
  notify(method: string, params?: Record<string, unknown>): void;
  /** Resolves with the first message that passes, already there or still to come. */
  find(test: (message: Message) => boolean): Promise<Message>;
  ask(method: string, params?: Record<string, unknown>, meta?: Record<string, unknown>): Promise<Message>;
  /** Closes its input and resolves with its exit code. */
  end(): Promise<number | null>;
}

const open: ChildProcessWithoutNullStreams[] = [];

afterEach(() => {
  for (const child of open.splice(0)) child.kill("SIGKILL");
});

/** Starts the example as a modern client, or as a legacy one that has shaken hands on a revision. */
export async function startExample(revision: string): Promise<Example> {
  const example = speak(spawn(process.execPath, [SERVER]), revision === "2026-07-28" ? MODERN_META : {});
  if (revision === "2026-07-28") return example;
  await example.ask("initialize", {
    protocolVersion: revision,
    capabilities: {},
    clientInfo: { name: "probe", version: "1" },
  });
  example.notify("notifications/initialized");
  return example;
}

function speak(child: ChildProcessWithoutNullStreams, envelope: Record<string, unknown>): Example {
  open.push(child);
  const messages: Message[] = [];
  const watchers = new Set<() => void>();
  let rest = "";
  let lastId = 0;
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.once("close", () => {
    for (const look of watchers) look();
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    messages.push(...lines.map((line) => JSON.parse(line) as Message)); // a test that reads a missing member fails
    for (const look of watchers) look();
  });

  const write = (line: string): void => void child.stdin.write(`${line}\n`);
  const send: Example["send"] = (method, params = {}, meta = {}) => {
    lastId += 1;
    const _meta = { ...envelope, ...meta };
    write(JSON.stringify({ jsonrpc: "2.0", id: lastId, method, params: { ...params, _meta } }));
    return lastId;
  };
  const find: Example["find"] = (test) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = messages.find(test);
        const ended = child.exitCode !== null && child.stdout.readableEnded;
        if (found !== undefined) resolve(found);
        else if (ended) reject(new Error(`The example ended without the message: ${stderr}`));
        if (found !== undefined || ended) watchers.delete(look);
      };
      watchers.add(look);
      look();
    });

  return {
    messages,
    write,
    send,
    find,
    notify: (method, params) => write(JSON.stringify({ jsonrpc: "2.0", method, params })),
    ask(method, params, meta) {
      const id = send(method, params, meta);
      return find((message) => message.id === id && message.method === undefined);
    },
    async end() {
      child.stdin.end();
      const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
      return code;
    },
  };
}

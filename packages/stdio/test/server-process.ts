import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject } from "@mortise/core";
import { afterEach } from "vitest";
import { type ServerProcess, type SpawnServerOptions, spawnServer } from "../src/client.js";

/** The scripted server, to be run with Node. */
export const SCRIPTED_SERVER: string = fileURLToPath(new URL("./programs/scripted-server.mjs", import.meta.url));

/** A started server process and everything it said. */
export interface Session {
  readonly transport: ServerProcess;
  readonly messages: unknown[];
  readonly errors: Error[];
  /** Resolves with what `onClose` was given. */
  readonly closed: Promise<Error | undefined>;
  /** Sends a request and resolves with the result of its answer. */
  ask(params?: Record<string, unknown>): Promise<unknown>;
  /** Resolves with the next message that answers to nothing. */
  notice(): Promise<unknown>;
}

const open: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

/** Starts the scripted server in a mode; it is closed after the test. */
export async function startSession(
  mode: readonly string[],
  options: Partial<SpawnServerOptions> = {},
): Promise<Session> {
  const transport = spawnServer({
    command: process.execPath,
    args: [SCRIPTED_SERVER, ...mode],
    closeTimeout: 300,
    ...options,
  });
  open.push(transport);
  const messages: unknown[] = [];
  const errors: Error[] = [];
  const waiting = new Map<unknown, (message: unknown) => void>();
  let id = 0;
  let onClose: (error: Error | undefined) => void = () => undefined;
  const closed = new Promise<Error | undefined>((resolve) => {
    onClose = resolve;
  });
  await transport.start({
    onMessage(message) {
      messages.push(message);
      const key = isObject(message) ? message.id : undefined;
      waiting.get(key)?.(message);
      waiting.delete(key);
    },
    onError: (error) => void errors.push(error),
    onClose: (error) => onClose(error),
  });
  return {
    transport,
    messages,
    errors,
    closed,
    async ask(params = {}) {
      id += 1;
      const answered = new Promise<unknown>((resolve) => waiting.set(id, resolve));
      await transport.send({ jsonrpc: "2.0", id, method: "ask", params });
      const message = await answered;
      return isObject(message) ? message.result : undefined;
    },
    notice() {
      const first = messages.find((message) => isObject(message) && message.id === undefined);
      return first === undefined ? new Promise((resolve) => waiting.set(undefined, resolve)) : Promise.resolve(first);
    },
  };
}

/** Tells whether a process is there; one that has ended but was not collected by its parent counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}
